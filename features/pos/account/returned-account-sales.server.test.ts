import { sql } from 'kysely'
import { afterAll, afterEach, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { adminOrder, payAtSimulator } from '#features/orders/testing/online-payments.ts'
import { startPayment } from '#features/payments/commands/start-payment.server.ts'
import { readStatement } from './statement.server.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { testDb } from '#test/db.ts'
import { buildProduct, buildUser } from '#test/factories.ts'
import { openShop } from '#test/request.ts'

// Sales on account that were paid, online or in part, and whose products come back.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
const { simulator, payOn } = await payAtSimulator(shop)
const mango = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 10_000 })
await manager.post('/admin/quick-orders/shift/open', { opening_cash: 5000 })
afterEach(() => expectLedger(db))
afterAll(async () => {
  await simulator.close()
  expect(shop.failures).toEqual([])
})

/** 10 kg for 1,000 taka, of which `cash` is paid. */
async function soldOnAccount(cash = 0): Promise<number> {
  const { phone } = await buildUser(db, { credit_limit_poisha: 1_000_000 })
  const paid = cash > 0 ? { transactions: { cash }, change_amount: 0 } : { transactions: {} }
  const sale = { products: [{ id: mango.id, quantity: 10 }], customer: { phone }, total: 1000, on_account: 1000 - cash, ...paid }
  const sold = await manager.post('/admin/quick-orders/store', sale)
  if (!sold.body.order_id) throw new Error(sold.text)
  return sold.body.order_id
}
const dueOf = async (id: number) =>
  (await sql<{ due: number }>`select amount_due(o)::int / 100 as due from orders o where id = ${id}`.execute(db)).rows[0]!.due

it('the POS does not pay back what a gateway is paying back', async () => {
  const id = await soldOnAccount()
  const started = await startPayment(shop.deps, id)
  if (!started.ok) throw new Error(started.reason)
  await payOn(started.redirectUrl)
  // The gateway does not tell whether it accepted the refund.
  await simulator.faults({ notify: 'never', refund: 'error' })
  const { version, refundable, due } = await adminOrder(manager, id)
  const { gateway, transaction } = refundable[0]!
  const refund = { gateway, transaction, amount: 600, reason: 'Sour', version }
  expect([due, (await manager.post(`/admin/orders/gateway-refunds/${id}`, refund)).body]).toMatchObject([0, { state: 'unknown' }])
  const back = (quantity: number, cash: number) =>
    manager.post(`/admin/quick-orders/return/${id}`, { lines: [{ product_id: mango.id, quantity }], refund: { cash }, reason: 'Sour' })
  expect((await back(5, 0)).status).toBe(200)
  await expectLedger(db)
  const tooMuch = await back(5, 500)
  expect([tooMuch.status, (tooMuch.body as { refund?: number }).refund]).toEqual([422, 400])
  expect((await back(5, 400)).status).toBe(200)
  expect(await dueOf(id)).toBe(-600)
})

it('a sale that is returned as a whole leaves a refund due, which the shop checks', async () => {
  const id = await soldOnAccount(300)
  const { version } = await adminOrder(manager, id)
  const returned = await manager.post('/admin/orders/status', { orders: [{ id, version }], status: 'returned', reason: 'Sour' })
  expect([returned.status, await dueOf(id)]).toEqual([200, -300])
})

it('a part that comes back, and a confirmed payment above the amount due, are no fault of the books', async () => {
  const id = await soldOnAccount()
  const back = { lines: [{ product_id: mango.id, quantity: 4 }], refund: { cash: 0 }, reason: 'Sour' }
  expect([(await manager.post(`/admin/quick-orders/return/${id}`, back)).status, await dueOf(id)]).toEqual([200, 600])
  await expectLedger(db)
  const { version } = await adminOrder(manager, id)
  const paid = await manager.post(`/admin/orders/payments/${id}`, { method: 'cash', amount: 650, version, confirmed: true })
  expect([paid.status, await dueOf(id)]).toEqual([200, -50])
})

it('the rows of one moment have a fixed order in the statement: a return before its refunds', async () => {
  const id = await soldOnAccount(900)
  shop.clock.now = new Date(shop.clock.now.getTime() + 60_000)
  const refund = { cash: 150, bkash: 100, store_credit: 50 }
  const back = { lines: [{ product_id: mango.id, quantity: 4 }], refund, reason: 'Sour' }
  expect((await manager.post(`/admin/quick-orders/return/${id}`, back)).status).toBe(200)
  const { customer } = await adminOrder(manager, id)
  const { rows, closing } = await readStatement(db, customer.id, { from: '2020-01-01', to: '2100-01-01' })
  expect(rows.map(({ kind, method, amount }) => [kind, method, amount])).toEqual([
    ['sale', null, 10_000],
    ['return', null, -40_000],
    ['refund', 'cash', 15_000],
    ['refund', 'bkash', 10_000],
    ['refund', 'store_credit', 5000],
  ])
  expect(closing).toBe(0)
})

it('the day report counts what was returned, and names what lowered an amount due', async () => {
  const sums = async () => {
    const { text } = await manager.get('/admin/quick-orders/day-report?lang=en', { accept: 'text/html' })
    const plain = text.replaceAll(/<[^>]*>/g, '')
    const figure = (label: string) =>
      Number((new RegExp(`${label}\\d*(−?)৳([\\d,]+)`).exec(plain)?.slice(1).join('') ?? '0').replaceAll(',', '').replace('−', '-'))
    return ['Total', 'Net sales', 'On account', 'Returns against amounts due'].map(figure)
  }
  const before = await sums()
  const id = await soldOnAccount(200)
  const body = { lines: [{ product_id: mango.id, quantity: 9 }], refund: { cash: 100 }, reason: 'Sour' }
  const back = await manager.post(`/admin/quick-orders/return/${id}`, body)
  expect(back.status, back.text).toBe(200)
  // 900 taka came back: 800 lower what is on account, 100 are paid back. One kilogram is sold and paid.
  expect((await sums()).map((sum, at) => sum - before[at]!)).toEqual([1000, 100, -800, 800])
})
