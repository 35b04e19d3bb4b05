import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { anOpenedOrder, anOrder, findOrderSnapshot, startPayingShop } from '#features/payments/testing/payment-shop.ts'
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
  await sql`drop function never cascade`.execute(db)
})

describe('after the shop was down', () => {
  const hours = (count: number) => void (shop.clock.now = new Date(shop.clock.now.getTime() + count * 3_600_000))
  const snapshot = (orderId: number) => findOrderSnapshot(db, orderId)
  async function sendBack({ location, body }: Awaited<ReturnType<typeof simulator.press>>): Promise<void> {
    await fetch(location, { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' })
  }
  async function reconcile(): Promise<void> {
    await reconcilePayments(shop.deps, { limit: 1000 })
  }

  beforeEach(() => simulator.faults({ notify: 'never' }))

  it('a second payment on a paid page is found, and the gateway is not asked again', async () => {
    const { orderId, page } = await anOpenedOrder(db, shop, { payable: 1500 })
    await sendBack(await simulator.press(page, 'Pay with VISA'))
    expect(await snapshot(orderId)).toMatchObject({ paid: 1500, attempts: ['paid'] })
    await simulator.faults({ notify: 'never', twoPaid: true })
    hours(2)
    await reconcile()
    expect(await snapshot(orderId)).toMatchObject({ paid: 3000, ledger: 2, sms: 1, needs_attention: 'paid-twice' })
    const { query } = await simulator.calls()
    hours(2)
    await reconcile()
    expect((await simulator.calls()).query).toBe(query)
  })

  it('a second payment on a page that was paid after hours is found', async () => {
    const { orderId, page } = await anOpenedOrder(db, shop, { payable: 1500 })
    hours(2)
    await reconcile()
    await sendBack(await simulator.press(page, 'Pay with VISA'))
    expect(await snapshot(orderId)).toMatchObject({ paid: 1500, attempts: ['paid'] })
    await simulator.faults({ notify: 'never', twoPaid: true })
    hours(2)
    await reconcile()
    expect(await snapshot(orderId)).toMatchObject({ paid: 3000, ledger: 2, needs_attention: 'paid-twice' })
  })

  it('a gateway that does not answer the last question is asked again', async () => {
    const paid = await anOpenedOrder(db, shop, { payable: 1500 })
    await sendBack(await simulator.press(paid.page, 'Pay with VISA'))
    const failed = await anOpenedOrder(db, shop, { payable: 1500 })
    await sendBack(await simulator.press(failed.page, 'Fail'))
    await simulator.press(failed.page, 'Pay with VISA')
    await simulator.faults({ notify: 'never', twoPaid: true, query: 'error' })
    hours(30)
    await reconcile()
    expect([(await snapshot(paid.orderId)).paid, (await snapshot(failed.orderId)).paid]).toEqual([1500, 0])
    await simulator.faults({ notify: 'never', twoPaid: true })
    hours(18)
    await reconcile()
    expect([(await snapshot(paid.orderId)).paid, (await snapshot(failed.orderId)).paid]).toEqual([3000, 3000])
  })

  it('a payment on a page that had failed is found after more than a day, and the gateway is not asked again', async () => {
    const { orderId, page } = await anOpenedOrder(db, shop, { payable: 1500 })
    await sendBack(await simulator.press(page, 'Fail'))
    await simulator.press(page, 'Pay with VISA')
    hours(30)
    await reconcile()
    expect(await snapshot(orderId)).toMatchObject({ paid: 1500, ledger: 1, attempts: ['paid'] })
    const unpaid = await anOpenedOrder(db, shop, { payable: 1500 })
    await sendBack(await simulator.press(unpaid.page, 'Fail'))
    hours(30)
    await reconcile()
    const { query } = await simulator.calls()
    hours(12)
    await reconcile()
    expect((await simulator.calls()).query).toBe(query)
  })
})
