import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { followRefunds } from '#features/payments/refunds/follow-refunds.server.ts'
import { expireOrders } from '#features/orders/status/expire-orders.server.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { buildArea } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from '../testing/admin-shop.ts'
import { adminOrder, moneyOf, payAtSimulator } from '../testing/online-payments.ts'

// The money of a payment that staff have rejected goes back: its transaction id pays no order.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const manager = await signedIn(shop, 'manager')
const { simulator, paid } = await payAtSimulator(shop)
afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db)
  await simulator.close()
})

const OTHER_AMOUNT = { paidAmount: '11000.00' }

async function rejected(refund?: 'failed' | 'hang', recorded = 0) {
  const { id } = await paid(area.id, { gateway: 'bkash', faults: OTHER_AMOUNT })
  const { rows } = await sql<{ attempt: number; txn: string }>`select id as attempt, gateway_txn as txn from payment_attempts
    where order_id = ${id} and state = 'review'`.execute(db)
  const { attempt, txn } = rows[0]!
  if (recorded > 0) expect((await record(id, txn, recorded)).status).toBe(200)
  await simulator.faults({ notify: 'never', ...OTHER_AMOUNT, ...(refund ? { refund } : {}) })
  expect((await manager.post(`/admin/payments/refuse/${attempt}`, { reason: 'Wrong amount' })).status).toBe(200)
  return { id, txn }
}

async function record(id: number, transaction_id: string, amount = 1000) {
  const { version } = await adminOrder(manager, id)
  return manager.post(`/admin/orders/payments/${id}`, { method: 'bkash', amount, transaction_id, version })
}

it('staff cannot record it for its order or for another one', async () => {
  const { id, txn } = await rejected()
  const { id: other } = await paid(area.id, { gateway: 'bkash', faults: OTHER_AMOUNT })
  for (const order of [id, other])
    expect(await record(order, txn.toLowerCase())).toMatchObject({
      status: 409,
      body: { errors: { transaction_id: ['This transaction ID has already been submitted.'] } },
    })
  expect(await moneyOf(shop, id)).toMatchObject({ refunds: ['done'], ledger: [], paid: 0 })
})

it('of money that staff recorded and paid back, its acceptance announces no payment', async () => {
  const { id } = await paid(area.id, { gateway: 'bkash', faults: OTHER_AMOUNT })
  const { rows } = await sql<{ attempt: number; txn: string }>`select id as attempt, gateway_txn as txn from payment_attempts
    where order_id = ${id} and state = 'review'`.execute(db)
  const { attempt, txn } = rows[0]!
  expect((await record(id, txn, 11_000)).status).toBe(200)
  const { version } = await adminOrder(manager, id)
  const refund = { method: 'cash', amount: 11_000, version }
  expect((await manager.post(`/admin/orders/refunds/${id}`, refund)).status).toBe(200)
  const { sms } = await moneyOf(shop, id)
  expect((await manager.post(`/admin/payments/accept/${attempt}`)).status).toBe(200)
  expect(await moneyOf(shop, id)).toMatchObject({ paid: 0, attempts: ['paid'], ledger: [11_000, -11_000], sms })
})

it('staff record it where the refund failed: the money is still here', async () => {
  const { id, txn } = await rejected('failed')
  expect((await record(id, txn)).status).toBe(200)
  expect(await moneyOf(shop, id)).toMatchObject({ refunds: ['failed'], ledger: [1000] })
})

const expire = () => expireOrders({ ...shop.deps, catalogChanged() {} })
const smsOf = async (id: number) =>
  (await sql<{ body: string }>`select body from sms_outbox where order_id = ${id} and template like 'payment-refused-%'`.execute(db)).rows
const FREED = { status: 'cancelled', cow: 'in-stock', paid: 0, ledger: [11_000, -11_000], refunds: ['done'] }

it('one that staff had recorded by hand gives its order the time to pay again; also once the gateway has answered', async () => {
  const { id } = await rejected(undefined, 11_000)
  const { id: waiting } = await rejected('hang', 11_000)
  const until = new Date(shop.clock.now.getTime() + 30 * 60_000)
  expect(await moneyOf(shop, id)).toMatchObject({ ...FREED, status: 'placed', cow: 'sold', expires_at: until })
  expect(await smsOf(id)).toMatchObject([{ body: expect.not.stringContaining('আবার পেমেন্ট করতে হবে না') }])
  shop.passMinutes(31)
  await expire()
  expect(await moneyOf(shop, id)).toMatchObject(FREED)
  expect(await moneyOf(shop, waiting)).toMatchObject({ status: 'placed', paid: 11_000, refunds: ['unknown'] })
  await simulator.faults({ notify: 'never' })
  shop.passMinutes(2)
  await followRefunds(shop.deps)
  await expire()
  // While the gateway had not answered, no other payment was taken.
  expect(await moneyOf(shop, waiting)).toMatchObject({ status: 'placed', expires_at: new Date(shop.clock.now.getTime() + 30 * 60_000) })
  shop.passMinutes(31)
  await expire()
  expect(await moneyOf(shop, waiting)).toMatchObject(FREED)
})
