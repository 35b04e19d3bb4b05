import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { payAtSimulator } from '#features/orders/testing/online-payments.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// The money of a bKash payment that staff have rejected goes back: its transaction id pays nothing at the POS.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const manager = await signedIn(shop, 'manager')
const cashier = await signedIn(shop, 'cashier')
await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
const mango = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 10_000 })
const { simulator, paid } = await payAtSimulator(shop)
afterAll(async () => {
  expect(shop.failures).toEqual([])
  await expectLedger(db)
  await simulator.close()
})

/** The transaction id of a payment that was rejected. */
async function rejectedPayment(): Promise<string> {
  const faults = { paidAmount: '11000.00' }
  const { id } = await paid(area.id, { gateway: 'bkash', faults })
  const { rows } = await sql<{ attempt: number; txn: string }>`select id as attempt, gateway_txn as txn from payment_attempts
    where order_id = ${id} and state = 'review'`.execute(db)
  await simulator.faults({ notify: 'never', ...faults })
  expect((await manager.post(`/admin/payments/refuse/${rows[0]!.attempt}`, { reason: 'Wrong amount' })).status).toBe(200)
  return rows[0]!.txn
}

const PHONE = '01712345678'
const sell = (more: object) =>
  cashier.post('/admin/quick-orders/store', { products: [{ id: mango.id, quantity: 1 }], customer: { phone: PHONE }, total: 100, ...more })
const refused = (field: string) => ({ status: 422, body: { errors: { [field]: ['This transaction ID has already been submitted.'] } } })

it('a sale with it is refused, one with another id is recorded', async () => {
  const bkash = await rejectedPayment()
  const paidBy = (id: string) => sell({ transactions: { bkash: 100 }, transaction_ids: { bkash: id } })
  expect(await paidBy(bkash.toLowerCase())).toMatchObject(refused('transaction_ids.bkash'))
  expect((await paidBy('8N7A6D5EE7')).status).toBe(200)
})

it('a sale with a note, which takes the path with locks, is refused', async () => {
  const bkash = await rejectedPayment()
  const products = [{ id: mango.id, quantity: 1, note: 'Ripe' }]
  const answer = await sell({ products, transactions: { bkash: 100 }, transaction_ids: { bkash } })
  expect(answer).toMatchObject(refused('transaction_ids.bkash'))
})

it('a payment on account with it is refused', async () => {
  const transaction_id = await rejectedPayment()
  expect((await sell({ transactions: { cash: 100 } })).status).toBe(200)
  const { id } = await db.selectFrom('users').select('id').where('phone', '=', PHONE).executeTakeFirstOrThrow()
  await manager.post(`/admin/customers/${id}/credit-limit`, { credit_limit: 1000, previous: 0 })
  expect((await sell({ transactions: {}, on_account: 100 })).status).toBe(200)
  const payment = { amount: 100, method: 'bkash', transaction_id }
  expect(await cashier.post(`/admin/quick-orders/account/${id}/payments`, payment)).toMatchObject(refused('transaction_id'))
  expect((await cashier.post(`/admin/quick-orders/account/${id}/payments`, { ...payment, transaction_id: '8N7A6D5EE8' })).status).toBe(200)
})
