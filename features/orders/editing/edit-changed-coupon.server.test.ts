import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { signedIn, storeBody } from '../testing/admin-shop.ts'

// Orders whose coupon was changed or used up after they were placed, and what their edits record of it.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [area, far] = [await buildArea(db, { produce: 80 }), await buildArea(db, { produce: 150 })]
const manager = await signedIn(shop, 'manager')

let honey: number
let mango: number
let before = new Map<number, number>()
beforeEach(async () => {
  honey = (await buildProduct(db, { stock_milli: 50_000, price_poisha: 12_000 })).id
  mango = (await buildProduct(db, { stock_milli: 50_000, price_poisha: 10_000 })).id
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const keyed = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } })
const TEN_PERCENT = { kind: 'percentage', percent: 10 }
const FREE_DELIVERY = { kind: 'free_shipping' }
let codes = 0

async function createCoupon(terms: object): Promise<{ id: number; code: string }> {
  const code = `EDIT${(codes += 1)}`
  const answer = await manager.post('/admin/coupons/store', { code, ...terms }, keyed())
  expect(answer.status, answer.text).toBe(200)
  return { id: Number(/\d+$/.exec(answer.body.redirect!)![0]), code }
}

async function changeCoupon({ id, code }: { id: number; code: string }, terms: object) {
  const answer = await manager.post(`/admin/coupons/${id}`, { code, ...terms, version: 1 })
  expect(answer.status, answer.text).toBe(200)
}

/** 2 kg of honey for 240 taka and 20 kg of mangoes for 2,000 taka, before product discounts. */
async function order({ code }: { code: string }, more: object = {}): Promise<number> {
  const lines: [number, number][] = [
    [honey, 2],
    [mango, 20],
  ]
  const answer = await manager.post('/admin/orders/store', storeBody(area.id, lines, { coupon: code, ...more }), keyed())
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}

async function edit(id: number, changes: object) {
  const answer = await manager.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', ...changes })
  expect(answer.status, answer.text).toBe(200)
}
const only = (product_id: number, quantity: number) => ({ products: [{ product_id, quantity, base_price: 1, price_on_order: '' }] })

async function move(id: number, status: string) {
  const { rows } = await sql<{ version: number }>`select version from orders where id = ${id}`.execute(db)
  const answer = await manager.post('/admin/orders/status', { orders: [{ id, ...rows[0] }], status, reason: 'As agreed' })
  expect(answer.status, answer.text).toBe(200)
}

/** In taka: the order's discount and delivery charge, and what its coupon is said to have given for either. */
async function amounts(id: number) {
  const { rows } = await sql<
    Record<string, number>
  >`select o.discount_poisha::float8 / 100 as discount, o.shipping_poisha::float8 / 100 as charge,
      u.discount_poisha::float8 / 100 as given, u.delivery_saved_poisha::float8 / 100 as saved
    from orders o join coupon_uses u on u.order_id = o.id where o.id = ${id}`.execute(db)
  return rows[0]!
}

describe('an order whose coupon was changed', () => {
  it('keeps its percentage when another one applies now', async () => {
    const coupon = await createCoupon(TEN_PERCENT)
    const id = await order(coupon)
    await changeCoupon(coupon, { kind: 'percentage', percent: 50 })
    await edit(id, only(honey, 2))
    expect(await amounts(id)).toMatchObject({ discount: 24, given: 24 })
  })

  it('pays for its delivery where the coupon is one for delivery now', async () => {
    const coupon = await createCoupon(TEN_PERCENT)
    const id = await order(coupon)
    await changeCoupon(coupon, FREE_DELIVERY)
    await edit(id, { area_id: far.id })
    expect(await amounts(id)).toMatchObject({ charge: 150, discount: 224 })
  })

  it.each([{ kind: 'free_shipping', value: 60 }, TEN_PERCENT])('keeps its free delivery in another area after %j', async (terms) => {
    const coupon = await createCoupon(FREE_DELIVERY)
    const id = await order(coupon)
    await changeCoupon(coupon, terms)
    await edit(id, { area_id: far.id })
    expect(await amounts(id)).toEqual({ charge: 0, saved: 150, discount: 0, given: 0 })
  })

  it.each([
    [
      'for other products',
      (coupon: { id: number; code: string }) => changeCoupon(coupon, { ...TEN_PERCENT, scope: 'products', product_ids: [honey] }),
      () => mango,
    ],
    ['for no flagged product', () => sql`update products set coupon_applicable = false where id = ${mango}`.execute(db), () => mango],
  ] as const)('has a discount that falls with its products where the coupon is %s now', async (_, change, product) => {
    const coupon = await createCoupon(TEN_PERCENT)
    const id = await order(coupon)
    await change(coupon)
    await edit(id, only(product(), 1))
    expect(await amounts(id)).toMatchObject({ discount: 10, given: 10 })
  })

  it('loses the discount with its only product where the coupon is for all products now', async () => {
    const coupon = await createCoupon({ ...TEN_PERCENT, scope: 'products', product_ids: [honey] })
    const id = await order(coupon)
    expect(await amounts(id)).toMatchObject({ discount: 24, given: 24 })
    await changeCoupon(coupon, TEN_PERCENT)
    await edit(id, only(mango, 20))
    expect(await amounts(id)).toMatchObject({ discount: 0, given: 0 })
  })

  it('has the coupon of now where its use is of an earlier version', async () => {
    const id = await order(await createCoupon(TEN_PERCENT))
    await sql`update coupon_uses set kind = null, percent_bp = null, value_poisha = null, max_discount_poisha = null where order_id = ${id}`.execute(
      db,
    )
    await edit(id, only(honey, 2))
    expect(await amounts(id)).toMatchObject({ discount: 24, given: 24 })
  })
})

it('the discount of a reopened order falls with its products where the coupon was used up meanwhile', async () => {
  const coupon = await createCoupon({ ...TEN_PERCENT, max_uses: 1 })
  const id = await order(coupon)
  await move(id, 'cancelled')
  await order(coupon, { phone: '01712345679' })
  await move(id, 'placed')
  await edit(id, only(honey, 2))
  expect(await amounts(id)).toMatchObject({ discount: 24 })
})

describe('what the coupon gave', () => {
  it('stays after an edit of other fields beside product discounts', async () => {
    await sql`update products set discount_kind = 'fixed', discount_value = 5000 where id = ${honey}`.execute(db)
    const id = await order(await createCoupon(TEN_PERCENT))
    expect(await amounts(id)).toMatchObject({ discount: 224, given: 224 })
    await edit(id, { remarks: 'Call first' })
    expect(await amounts(id)).toMatchObject({ discount: 224, given: 224 })
    // 12 taka of the 100 are product discount.
    await edit(id, only(mango, 10))
    expect(await amounts(id)).toMatchObject({ discount: 100, given: 100 })
  })

  it('for the delivery follows area and charge', async () => {
    const id = await order(await createCoupon({ kind: 'free_shipping', value: 20 }))
    expect(await amounts(id)).toMatchObject({ charge: 20, saved: 60 })
    await edit(id, { area_id: far.id })
    expect(await amounts(id)).toMatchObject({ charge: 20, saved: 130 })
    await edit(id, { shipping_cost: 100 })
    expect(await amounts(id)).toMatchObject({ charge: 100, saved: 50 })
    await edit(id, { shipping_cost: 200 })
    expect(await amounts(id)).toMatchObject({ charge: 200, saved: 0 })
  })

  it('for the delivery is nothing once the customer collects the order', async () => {
    const id = await order(await createCoupon(FREE_DELIVERY))
    await edit(id, { is_collection: true })
    expect(await amounts(id)).toMatchObject({ charge: 0, saved: 0 })
    await edit(id, { is_collection: false, area_id: far.id })
    expect(await amounts(id)).toMatchObject({ charge: 0, saved: 150 })
  })
})
