import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { anOrder, findOrderSnapshot, startPayingShop } from '#features/payments/testing/payment-shop.ts'
import { startSimulator } from '#features/payments/testing/start-simulator.ts'
import { testDb } from '#test/db.ts'
import { reconcilePayments } from './reconcile-payments.server.ts'
import { startPayment } from './start-payment.server.ts'

const { db } = await testDb()
const simulator = await startSimulator()
const shop = await startPayingShop(db, simulator)
afterAll(async () => {
  await shop.close()
  await simulator.close()
})

it('a payment that cannot be recorded blocks no other', async () => {
  await simulator.faults({ notify: 'never' })
  const orders: number[] = []
  for (let number = 0; number < 3; number++) {
    const { orderId } = await anOrder(db, shop, { payable: 1500 })
    const started = await startPayment(shop.deps, orderId)
    if (!started.ok) throw new Error(started.reason)
    await simulator.press(started.redirectUrl, 'Pay with bKash')
    orders.push(orderId)
  }
  await sql`create function never() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$`.execute(db)
  await sql`create trigger never before insert on ledger_entries for each row when (new.order_id = ${sql.lit(orders[0]!)}) execute function never()`.execute(
    db,
  )
  shop.clock.now = new Date(shop.clock.now.getTime() + 4 * 60_000)
  await expect(reconcilePayments(shop.deps)).rejects.toThrow('never')
  const paid = await Promise.all(orders.map(async (orderId) => (await findOrderSnapshot(db, orderId)).paid))
  expect(paid).toEqual([0, 1500, 1500])
})
