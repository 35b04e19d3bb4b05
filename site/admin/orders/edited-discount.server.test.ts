import { afterAll, expect, it } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { orderOf, signedIn, storeBody } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildCoupon, buildProduct } from '#test/factories.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import { editedDiscount } from './edited-discount.ts'
import { orderValues, sentLines, typedSums } from './order-values.ts'

// The total that the page of an order shows while its lines are edited is the one that the order gets.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const manager = await signedIn(shop, 'manager')
const honey = await buildProduct(db, { price_poisha: 12_000, discount_kind: 'fixed', discount_value: 1000 })
const mango = await buildProduct(db, { price_poisha: 10_000 })
const leftOut = await buildProduct(db, { price_poisha: 50_000, coupon_applicable: false })
afterAll(() => expect(shop.failures).toEqual([]))

/** 2 kg of honey, 20 kg of mangoes and 1 kg without the coupon. */
async function ordered(terms: Record<string, unknown>): Promise<AdminOrder> {
  const { code } = await buildCoupon(db, terms)
  const lines: [number, number][] = [
    [honey.id, 2],
    [mango.id, 20],
    [leftOut.id, 1],
  ]
  const answer = await manager.post('/admin/orders/store', storeBody(area.id, lines, { coupon: code }), {
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  expect(answer.status, answer.text).toBe(200)
  const page = await manager.get(`/admin/orders/update/${answer.body.order_id}`, { accept: 'text/html' })
  return pageProps<{ order: AdminOrder }>(page.text).order
}

const EDITS: [what: string, quantities: Record<number, string>, more?: { discount?: string; price?: string }][] = [
  ['products taken off', { [honey.id]: '2' }],
  ['less of a product', { [honey.id]: '2', [mango.id]: '5', [leftOut.id]: '1' }],
  ['more of a product', { [honey.id]: '2', [mango.id]: '30', [leftOut.id]: '1' }],
  ['only the product without it', { [leftOut.id]: '1' }],
  ['another discount', { [honey.id]: '2' }, { discount: '7.5' }],
  ['another price', { [mango.id]: '20' }, { price: '90' }],
]
const COUPONS = [
  { percent_bp: 1000 },
  { percent_bp: 5000, max_discount_poisha: 15_000 },
  { kind: 'others', value_poisha: 30_000 },
  { kind: 'free_shipping' },
]

const cases = COUPONS.flatMap((terms) =>
  EDITS.map(([what, quantities, more = {}]) => ({ what: `${JSON.stringify(terms)}, ${what}`, terms, quantities, ...more })),
)

it.each<{ what: string; terms: Record<string, unknown>; quantities: Record<number, string>; discount?: string; price?: string }>(cases)(
  '$what',
  async ({ terms, quantities, discount, price }) => {
    const order = await ordered(terms)
    const saved = orderValues(order)
    const products = saved.products.flatMap((line) => {
      const quantity = quantities[Number(line.product_id)]
      return quantity === undefined ? [] : [{ ...line, quantity, price_on_order: price ?? line.price_on_order }]
    })
    const values = { ...saved, products, discount: discount ?? saved.discount }
    const shown = typedSums({ ...values, discount: editedDiscount(values, order) }, 0 as never)
    const body = { address: order.address, products: sentLines(products), ...(discount ? { discount } : {}) }
    const answer = await manager.post(`/admin/orders/update/${order.id}`, body)
    expect(answer.status, answer.text).toBe(200)
    expect(shown.total / 100).toBe(orderOf(answer).total)
  },
)
