import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildCategory, buildCoupon, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock } from '#test/invariants.ts'
import { expectLedger } from '#test/ledger-checks.ts'
import { openShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'
import { signedIn, storeBody } from '../testing/admin-shop.ts'
import { move, pay, takeBack } from '../testing/delivered-order.ts'

// A coupon for some products comes back with these products: the others are refunded as they were paid.

const { db, url } = await testDb()
await db
  .insertInto('settings')
  .values({ key: 'pos_return', value: JSON.stringify({ taka: 100_000, day_taka: 1_000_000, days: 7 }) })
  .execute()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const manager = await signedIn(shop, 'manager')
await manager.post('/admin/quick-orders/shift/open', { opening_cash: 50_000 })

let [honey, mango, ghee]: number[] = []
let before = new Map<number, number>()
beforeEach(async () => {
  const product = async (price_poisha: number, more = {}) => (await buildProduct(db, { stock_milli: 50_000, price_poisha, ...more })).id
  ;[honey, mango, ghee] = [await product(100_000), await product(10_000), await product(33_300)]
  before = await countStock(db)
})
afterEach(async () => {
  await expectLedger(db, before)
  expect(shop.failures).toEqual([])
})

type Lines = [productId: number, quantity: number][]
/** Two kg of honey for ৳2,000 and ten of mangoes for ৳1,000. */
const lines = (): Lines => [
  [honey!, 2],
  [mango!, 10],
]
/** 20 % off the honey: ৳400. */
const forHoney = (more: Record<string, unknown> = {}) =>
  buildCoupon(db, { percent_bp: 2000, scope: 'products', product_ids: [honey!], ...more })

const placed = (answer: Answer): number => {
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}

async function onTheWeb(code: string, discount = 400, of = lines()): Promise<number> {
  const user = await buildUser(db)
  const visitor = shop.visitor()
  await visitor.signIn(user.phone)
  const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', couponDiscountAmount: discount, couponFreeShipping: null }
  const body = orderBody(area.id, of, cash)
  return placed(await visitor.post('/customer-orders', { ...body, products: body.products.map((line) => ({ ...line, coupon: code })) }))
}

const byPhone = async (code: string, of = lines()) =>
  placed(
    await manager.post('/admin/orders/store', storeBody(area.id, of, { coupon: code }), {
      headers: { 'idempotency-key': crypto.randomUUID() },
    }),
  )

async function atPos(code: string): Promise<number> {
  const sold = lines().map(([id, quantity]) => ({ id, quantity: String(quantity), price: id === honey ? 1000 : 100 }))
  const sale = { products: sold, transactions: { cash: 2600 }, discount: 0, coupon: code, sub_total: 3000, total: 2600 }
  const body = { ...sale, customer: { phone: '01712345678' }, shipping_cost: 0, change_amount: 0, paid_amount: 2600 }
  return placed(await manager.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': crypto.randomUUID() } }))
}

/** The own discounts of the lines, in taka. */
async function ownDiscounts(id: number): Promise<number[]> {
  const { rows } = await sql<{ own: number }>`
    select discount_poisha::float8 / 100 as own from order_lines where order_id = ${id} order by position`.execute(db)
  return rows.map(({ own }) => own)
}

async function deliver(id: number): Promise<void> {
  const { total } = await db.selectFrom('orders').select('total_poisha as total').where('id', '=', id).executeTakeFirstOrThrow()
  await pay(manager, id, total / 100)
  for (const status of ['processing', 'on_delivery', 'delivered']) await move(manager, id, status)
}

/** Delivers the order, and takes lines back one after the other: what each return was worth, in taka. */
async function valuesOf(id: number, back: Lines): Promise<number[]> {
  await deliver(id)
  for (const [product_id, quantity] of back) {
    const answer = await takeBack(manager, id, [{ product_id, quantity }])
    expect(answer.status, answer.text).toBe(200)
  }
  const worth = await db.selectFrom('pos_returns').select('worth_poisha as worth').where('order_id', '=', id).orderBy('id').execute()
  return worth.map((one) => one.worth / 100)
}

const edit = async (id: number, of: Lines, more: Record<string, unknown> = {}) => {
  const products = of.map(([product_id, quantity]) => ({ product_id, quantity, base_price: 1, price_on_order: '' }))
  const answer = await manager.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', products, ...more })
  expect(answer.status, answer.text).toBe(200)
}

describe('products without the coupon come back for their price, those with it for what was paid', () => {
  it.each<[string, (code: string) => Promise<number>]>([
    ['an order of the web', onTheWeb],
    ['an order by phone', byPhone],
  ])('%s', async (_name, order) => {
    const { code } = await forHoney()
    const id = await order(code)
    expect(await ownDiscounts(id)).toEqual([400, 0])
    const back: Lines = [
      [mango!, 4],
      [honey!, 1],
      [mango!, 6],
    ]
    expect(await valuesOf(id, back)).toEqual([400, 800, 600])
  })

  it('a sale at the POS', async () => {
    const { code } = await forHoney()
    const id = await atPos(code)
    expect(await ownDiscounts(id)).toEqual([400, 0])
    const back = (product_id: number, cash: number) =>
      manager.post(`/admin/quick-orders/return/${id}`, { lines: [{ product_id, quantity: 1 }], refund: { cash }, reason: 'Soft' })
    expect((await back(mango!, 86.67)).body).toMatchObject({ refund: 100 })
    expect((await back(mango!, 100)).status).toBe(200)
    expect((await back(honey!, 800)).status).toBe(200)
  })

  it('a coupon of a category, and one for products that take coupons', async () => {
    const { id: category_id } = await buildCategory(db)
    await db.updateTable('products').set({ category_id }).where('id', '=', honey!).execute()
    const { code } = await buildCoupon(db, { percent_bp: 2000, scope: 'categories', category_ids: [category_id] })
    expect(await ownDiscounts(await onTheWeb(code))).toEqual([400, 0])
    await sql`update products set coupon_applicable = false where id = ${mango}`.execute(db)
    expect(await ownDiscounts(await onTheWeb((await buildCoupon(db, { percent_bp: 2000 })).code))).toEqual([400, 0])
  })

  it('an amount over lines that it does not divide by: exact to the poisha', async () => {
    const { code } = await buildCoupon(db, {
      kind: 'others',
      percent_bp: 0,
      value_poisha: 10_000,
      scope: 'products',
      product_ids: [honey!, ghee!],
    })
    const of: Lines = [
      [honey!, 1],
      [mango!, 1],
      [ghee!, 2],
    ]
    const id = await onTheWeb(code, 100, of)
    // ৳1,000 and ৳666 of ৳1,666.
    expect(await ownDiscounts(id)).toEqual([60.02, 0, 39.98])
    const back: Lines = [
      [mango!, 1],
      [ghee!, 1],
      [honey!, 1],
    ]
    expect(await valuesOf(id, back)).toEqual([100, 313.01, 939.98])
  })

  it('a product with a discount of its own, which the coupon takes the place of', async () => {
    await sql`update products set discount_kind = 'percentage', discount_value = 1000 where id = ${honey}`.execute(db)
    const id = await byPhone((await forHoney()).code)
    // The line costs ৳1,800; the coupon takes ৳200 more.
    expect(await ownDiscounts(id)).toEqual([200, 0])
    expect(await valuesOf(id, [[honey!, 1]])).toEqual([800])
  })

  it('free delivery is on no line; an order from before the shares is shared over all lines', async () => {
    const free = await buildCoupon(db, { kind: 'free_shipping' })
    expect(await ownDiscounts(await byPhone(free.code))).toEqual([0, 0])
    const id = await byPhone((await forHoney()).code)
    await sql`update order_lines set discount_poisha = 0 where order_id = ${id}`.execute(db)
    await edit(id, [
      [honey!, 1],
      [mango!, 10],
    ])
    expect(await ownDiscounts(id)).toEqual([0, 0])
    expect(await valuesOf(id, [[mango!, 10]])).toEqual([900])
  })
})

describe('an edited order', () => {
  const half = (): Lines => [
    [honey!, 1],
    [mango!, 10],
  ]

  it('has the share of the products that are left; added ones have none', async () => {
    const id = await onTheWeb((await forHoney()).code)
    await edit(id, [...half(), [ghee!, 1]])
    expect(await ownDiscounts(id)).toEqual([200, 0, 0])
    expect(await valuesOf(id, [[ghee!, 1]])).toEqual([333])
  })

  it('a product added to an order whose products all had the coupon has none', async () => {
    const id = await byPhone((await forHoney()).code, [[honey!, 2]])
    await edit(id, [
      [honey!, 2],
      [mango!, 10],
    ])
    expect(await valuesOf(id, [[mango!, 10]])).toEqual([1000])
  })

  it('with more of a product keeps the discount, on its line', async () => {
    const id = await byPhone((await forHoney()).code)
    await edit(id, [
      [honey!, 3],
      [mango!, 10],
    ])
    expect(await ownDiscounts(id)).toEqual([400, 0])
  })

  it('without the products of the coupon has no discount', async () => {
    const id = await byPhone((await forHoney()).code)
    await edit(id, [[mango!, 10]])
    expect(await ownDiscounts(id)).toEqual([0])
    expect(await valuesOf(id, [[mango!, 5]])).toEqual([500])
  })

  it('a fixed amount moves to the product of the coupon that is left', async () => {
    const fixed = { kind: 'others', percent_bp: 0, value_poisha: 30_000, product_ids: [honey!, ghee!] }
    const id = await byPhone((await forHoney(fixed)).code, [...half(), [ghee!, 3]])
    expect(await ownDiscounts(id)).toEqual([150.08, 0, 149.92])
    await edit(id, half())
    expect(await ownDiscounts(id)).toEqual([300, 0])
  })

  it('a discount that a manager lowers or raises: the share falls with it, and does not rise', async () => {
    const id = await byPhone((await forHoney()).code)
    await edit(id, lines(), { discount: 100 })
    expect(await ownDiscounts(id)).toEqual([100, 0])
    await edit(id, lines(), { discount: 380 })
    expect(await ownDiscounts(id)).toEqual([100, 0])
    // ৳280 more over ৳1,900 and ৳1,000.
    expect(await valuesOf(id, [[mango!, 10]])).toEqual([903.45])
  })

  it('cancelled and reopened it keeps its shares, also without the use of the coupon', async () => {
    const { code, id: coupon } = await forHoney({ max_uses: 1 })
    const id = await byPhone(code)
    await move(manager, id, 'cancelled')
    await byPhone(code)
    await move(manager, id, 'placed')
    const use = await db.selectFrom('coupon_uses').select('released_at').where('order_id', '=', id).executeTakeFirst()
    expect([use?.released_at, coupon]).toEqual([expect.any(Date), expect.any(Number)])
    expect(await valuesOf(id, [[mango!, 10]])).toEqual([1000])
  })
})

it('a discount on a line at the POS falls with that of the order', async () => {
  const products = [
    { id: honey!, quantity: '1', price: 1000, discount: 300 },
    { id: mango!, quantity: '1', price: 100 },
  ]
  const delivery = { area_id: area.id, address: 'Road 3' }
  const sums = { sub_total: 1100, shipping_cost: 80, discount: 300, total: 880, transactions: { cash: 880 } }
  await sql`insert into settings (key, value) values ('pos_discount', '{"percent": 60, "taka": 10000}')`.execute(db)
  const id = placed(await manager.post('/admin/quick-orders/store', { products, delivery, ...sums, customer: { phone: '01712345678' } }))
  expect(await ownDiscounts(id)).toEqual([300, 0])
  await edit(
    id,
    [
      [honey!, 1],
      [mango!, 1],
    ],
    { discount: 310 },
  )
  expect(await ownDiscounts(id)).toEqual([300, 0])
  await edit(
    id,
    [
      [honey!, 1],
      [mango!, 1],
    ],
    { discount: 200 },
  )
  expect(await ownDiscounts(id)).toEqual([200, 0])
})
