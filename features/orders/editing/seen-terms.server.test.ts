import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildCoupon, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { orderOf, signedIn, storeBody } from '../testing/admin-shop.ts'

// An order form of staff whose prices, charges or coupon have changed since it was opened: the shop says so before it sells.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const manager = await signedIn(shop, 'manager')
let honey: Awaited<ReturnType<typeof buildProduct>>
let before = new Map<number, number>()
beforeEach(async () => {
  honey = await buildProduct(db, { unit: 'piece', price_poisha: 50_000, coupon_applicable: true })
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const line = (price_on_order: number, usual_price?: number) => {
  return { product_id: honey.id, quantity: 1, base_price: 500, price_on_order, ...(usual_price === undefined ? {} : { usual_price }) }
}
const store = (products: object[], more: object = {}) =>
  manager.post('/admin/orders/store', { ...storeBody(area.id, []), products, ...more })
const setPrice = (poisha: number) => sql`update products set price_poisha = ${poisha} where id = ${honey.id}`.execute(db)
const priceOf = async (id: number) => {
  const { rows } = await sql<{ price: number }>`select price_poisha / 100 as price from order_lines where order_id = ${id}
    and product_id = ${honey.id}`.execute(db)
  return rows[0]?.price
}
const CHANGED = {
  status: 422,
  body: { errors: { 'products.0.price_on_order': ['The price is now ৳600. Submit again to keep the old one.'] } },
}

it('a manager is told that a price has changed, and keeps the old one or takes the new one', async () => {
  await setPrice(60_000)
  expect(await store([line(500, 500)])).toMatchObject(CHANGED)
  // With the price of now before the eyes the old one is set on purpose.
  const asBefore = await store([line(500, 600)])
  const taken = await store([line(600, 600)])
  expect([await priceOf(asBefore.body.order_id!), await priceOf(taken.body.order_id!)]).toEqual([500, 600])
})

it('a price that was typed, or whose form does not say what it showed, is that of the manager', async () => {
  await setPrice(60_000)
  expect(await priceOf((await store([line(450, 500)])).body.order_id!)).toBe(450)
  expect(await priceOf((await store([line(500)])).body.order_id!)).toBe(500)
})

it('the same holds for a product that is added to an order; an ordered one keeps its price', async () => {
  const other = await buildProduct(db, { unit: 'piece' })
  const id = (await store([{ ...line(0), product_id: other.id, price_on_order: '' }])).body.order_id!
  const edit = (products: object[]) => manager.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', products })
  const ordered = { product_id: other.id, quantity: 1, price_on_order: '' }
  await setPrice(60_000)
  expect(await edit([line(500, 500), ordered])).toMatchObject(CHANGED)
  expect(orderOf(await edit([line(500, 600), ordered])).lines.map((one) => one.price_on_order)).toContain(500)
  await setPrice(70_000)
  expect((await edit([{ ...line(500, 700), quantity: 2 }, ordered])).status).toBe(200)
  expect(await priceOf(id)).toBe(500)
})

it('another total than the form showed is refused: the charge of the area has risen', async () => {
  const own = await buildArea(db, { produce: 120 })
  const form = { area_id: own.id, shown_total: 580 }
  expect(await store([line(500, 500)], form)).toMatchObject({
    status: 422,
    body: { errors: { shown_total: ['The total is now ৳620. Please review your order and try again.'] } },
  })
  expect((await store([line(500, 500)], { ...form, shown_total: 620 })).status).toBe(200)
})

it('or the coupon gives less since it was applied', async () => {
  const coupon = await buildCoupon(db, { kind: 'percentage', percent_bp: 2000 })
  const form = { coupon: coupon.code, phone: '01712345699', shown_total: 480 }
  await sql`update coupons set percent_bp = 1000 where id = ${coupon.id}`.execute(db)
  expect(await store([line(500, 500)], form)).toMatchObject({
    status: 422,
    body: { errors: { shown_total: [expect.stringContaining('৳530')] } },
  })
  expect((await store([line(500, 500)], { ...form, shown_total: 530 })).status).toBe(200)
})
