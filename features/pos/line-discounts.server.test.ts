import { afterEach, beforeEach, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildCoupon, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { SoldSale } from './sale-queries.server.ts'

// The discount on one line comes back with that line: the others are refunded as they were paid.

const { db, url } = await testDb()
await db
  .insertInto('settings')
  .values([
    { key: 'pos_return', value: JSON.stringify({ taka: 100_000, day_taka: 1_000_000, days: 7 }) },
    { key: 'pos_discount', value: JSON.stringify({ percent: 60, taka: 10_000 }) },
  ])
  .execute()
const shop = await openShop({ databaseUrl: url })
const cashier = await signedIn(shop, 'cashier')
const manager = await signedIn(shop, 'manager')
await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 50_000 })

let [mango, honey]: { id: number }[] = []
let before = new Map<number, number>()
beforeEach(async () => {
  mango = await buildProduct(db, { stock_milli: 50_000, price_poisha: 10_000 })
  honey = await buildProduct(db, { stock_milli: 50_000, price_poisha: 100_000 })
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

/** Two kg of bruised mangoes at half the price of ৳200, and a kg of honey for ৳1,000; ৳11 off the rest of the sale. */
const sale = (more: object = {}, own: unknown = 100) => ({
  products: [
    { id: mango!.id, quantity: '2', price: 100, ...(own === null ? {} : { discount: own }) },
    { id: honey!.id, quantity: '1', price: 1000 },
  ],
  discount: 111,
  sub_total: 1200,
  transactions: { cash: 1089 },
  total: 1089,
  customer: { phone: '01712345678' },
  ...more,
})
const store = (body: object, key: string = crypto.randomUUID()) =>
  cashier.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': key } })
const back = (order: number, id: number, quantity: number, cash: number) => {
  const body = { lines: [{ product_id: id, quantity }], refund: { cash }, reason: 'Soft' }
  return cashier.post(`/admin/quick-orders/return/${order}`, body)
}

it('the other line comes back for what was paid for it, and the discounted one for its lower price', async () => {
  const sold = await store(sale())
  expect(sold.status, sold.text).toBe(200)
  const id = sold.body.order_id!
  const page = await cashier.get(`/admin/quick-orders/return?receipt=${id}`, { accept: 'text/html' })
  const { lines } = pageProps<{ sale: SoldSale }>(page.text).sale
  expect(lines.map(({ total, discount }) => [total, discount])).toEqual([
    [20_000, 10_000],
    [100_000, 0],
  ])
  // ৳11 are shared over ৳100 and ৳1,000.
  expect((await back(id, honey!.id, 1, 1000)).body).toMatchObject({ refund: 990 })
  expect((await back(id, honey!.id, 1, 990)).status).toBe(200)
  expect((await back(id, mango!.id, 1, 49.5)).status).toBe(200)
  expect((await back(id, mango!.id, 1, 49.5)).status).toBe(200)
  const order = await db.selectFrom('orders').select(['status', 'ledger_balance_poisha']).where('id', '=', id).executeTakeFirst()
  expect(order).toMatchObject({ status: 'returned' })
})

it('a return in the admin has the same values', async () => {
  const sold = await store(sale())
  const id = sold.body.order_id!
  const page = await manager.get(`/admin/orders/update/${id}`, { accept: 'text/html' })
  const { order } = pageProps<{ order: { version: number; lines: { own_discount: number }[] } }>(page.text)
  expect(order.lines.map((line) => line.own_discount)).toEqual([100, 0])
  const body = { lines: [{ product_id: honey!.id, quantity: 1 }], reason: 'Soft', version: order.version }
  expect((await manager.post(`/admin/orders/returns/${id}`, body)).status).toBe(200)
  const { worth_poisha: worth } = await db
    .selectFrom('pos_returns')
    .select('worth_poisha')
    .where('order_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(worth).toBe(99_000)
})

it('without discounts of lines all of it is shared, as by a device of an earlier version', async () => {
  const sold = await store(sale({}, null))
  const returned = await back(sold.body.order_id!, honey!.id, 1, 907.5)
  expect(returned.status, returned.text).toBe(200)
})

it('the same sale is recorded once; with another discount on its line its key has another sale', async () => {
  const first = await store(sale(), 'discounted-line-1')
  const again = await store(sale(), 'discounted-line-1')
  expect([again.status, again.body.order_id]).toEqual([200, first.body.order_id])
  expect(await store(sale({}, 50), 'discounted-line-1')).toMatchObject({ status: 409, body: { reason: 'key-reused' } })
})

it.each<[string, object, unknown]>([
  ['more than the line', { discount: 211, total: 989, transactions: { cash: 989 } }, 200.01],
  ['more than the discount of the sale', {}, 111.01],
  ['no number', {}, 'half'],
  ['below zero', {}, -1],
])('refuses %s', async (_name, more, own) => {
  expect((await store(sale(more, own))).status).toBe(422)
})

it('refuses discounts of lines with a coupon', async () => {
  const { code } = await buildCoupon(db)
  expect((await store(sale({ coupon: code, discount: 0, total: 1080, transactions: { cash: 1080 } }))).status).toBe(422)
})
