import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { payAtSimulator } from '#features/orders/testing/online-payments.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { move } from '#features/orders/testing/delivered-order.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { erasePerson } from './erase-person.server.ts'
import { findPerson } from './read-personal-data.server.ts'

// A customer whose money is not in the ledger yet is not erased: nobody could pay it back.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const manager = await signedIn(shop, 'manager')
const { simulator, paid } = await payAtSimulator(shop)
afterAll(async () => {
  expect(shop.failures).toEqual([])
  await simulator.close()
})

const hours = (count: number) => new Date(shop.clock.now.getTime() + count * 3_600_000)

async function erase(orderId: number, now = hours(25)) {
  const { rows } = await sql<{ phone: string }>`select phone from orders where id = ${orderId}`.execute(db)
  return erasePerson(db, (await findPerson(db, rows[0]!.phone))!, now)
}
const WAITS = { ok: false, reasons: ['payments'] }

it('with a reported advance of a cancelled order, until it is decided', async () => {
  const cow = await buildAnimal(db)
  const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 11_500, partial_payment: 11_500 }
  const guest = shop.visitor()
  const { order_id: id } = (await guest.post('/customer-orders', orderBody(area.id, [[cow.id, 1]], advance))).body
  const report = { method: 'bkash', transaction_id: 'ERASE1', sender: '01711111111', amount: 11_500 }
  expect((await guest.post(`/orders/${id}/advance`, report)).status).toBe(200)
  await move(manager, id!, 'cancelled')
  expect(await erase(id!)).toEqual(WAITS)
  const { rows } = await sql<{ id: number }>`select id from advance_reports where order_id = ${id!}`.execute(db)
  expect((await manager.post(`/admin/advances/refuse/${rows[0]!.id}`, { reason: 'Not there' })).status).toBe(200)
  expect(await erase(id!)).toEqual({ ok: true, orders: 1 })
  const { rows: texts } =
    await sql`select o.reason, a.reason as refusal from orders o join advance_reports a on a.order_id = o.id where o.id = ${id!}`.execute(
      db,
    )
  expect(texts).toEqual([{ reason: 'Erased · মুছে ফেলা হয়েছে', refusal: 'Erased · মুছে ফেলা হয়েছে' }])
})

it('with a payment in review of a cancelled order, and with one whose refund failed', async () => {
  const { id } = await paid(area.id, { faults: { risky: true } })
  await move(manager, id, 'cancelled')
  expect(await erase(id)).toEqual(WAITS)
  await simulator.faults({ notify: 'never', risky: true, refund: 'failed' })
  const { rows } = await sql<{ id: number }>`select id from payment_attempts where order_id = ${id}`.execute(db)
  expect((await manager.post(`/admin/payments/refuse/${rows[0]!.id}`, { reason: 'Stolen card' })).status).toBe(200)
  expect(await erase(id)).toEqual(WAITS)
  expect((await manager.post(`/admin/orders/attention/${id}`, {})).status).toBe(200)
  expect(await erase(id)).toEqual({ ok: true, orders: 1 })
})

it('while a payment page of the cancelled order may bring money', async () => {
  await simulator.faults({ notify: 'never' })
  const cow = await buildAnimal(db)
  const { order_id: id } = (await shop.post('/customer-orders', orderBody(area.id, [[cow.id, 1]]))).body
  await move(manager, id!, 'cancelled')
  expect(await erase(id!, hours(1))).toEqual(WAITS)
  expect(await erase(id!)).toEqual({ ok: true, orders: 1 })
})
