import { sql } from 'kysely'
import { findAdminOrder } from '#features/orders/history/order-details.server.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildCoupon, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { signedIn, storeBody } from '../testing/admin-shop.ts'

// The discount of a coupon on an order whose products are edited.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [sales, manager] = [await signedIn(shop, 'sales'), await signedIn(shop, 'manager')]

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

type Lines = [productId: number, quantity: number][]

/** 2 kg of honey for 240 taka and 20 kg of mangoes for 2,000 taka with a coupon. */
async function ordered(coupon: Record<string, unknown>): Promise<number> {
  const lines: Lines = [
    [honey, 2],
    [mango, 20],
  ]
  const { code } = await buildCoupon(db, coupon)
  const answer = await sales.post('/admin/orders/store', storeBody(area.id, lines, { coupon: code }), {
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}

async function edit(id: number, lines: Lines, more: Record<string, unknown> = {}, who = sales) {
  const products = lines.map(([product_id, quantity]) => ({ product_id, quantity, base_price: 1, price_on_order: '' }))
  const answer = await who.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', products, ...more })
  expect(answer.status, answer.text).toBe(200)
}

/** The discount of an order and that of its coupon use, in taka. */
async function discounts(id: number) {
  const { rows } = await sql<{
    order: number
    coupon: number
  }>`select o.discount_poisha / 100.0::float8 as order, u.discount_poisha / 100.0::float8 as coupon
    from orders o join coupon_uses u on u.order_id = o.id where o.id = ${id}`.execute(db)
  return [rows[0]!.order, rows[0]!.coupon]
}

describe('the discount of a coupon', () => {
  it('of a percentage falls with the products that are taken off, and never rises', async () => {
    const id = await ordered({ percent_bp: 1000 })
    expect(await discounts(id)).toEqual([224, 224])
    await edit(id, [
      [honey, 2],
      [mango, 30],
    ])
    expect(await discounts(id)).toEqual([224, 224])
    await edit(id, [[honey, 2]])
    expect(await discounts(id)).toEqual([24, 24])
    await edit(id, [[honey, 1]])
    expect(await discounts(id)).toEqual([12, 12])
  })

  it('stands with its code on the order in the admin', async () => {
    const id = await ordered({ code: 'EID10', percent_bp: 1000 })
    expect(await findAdminOrder(db, id, 'en', false)).toMatchObject({ used_coupon: { code: 'EID10', discount: 224, delivery_saved: 0 } })
  })

  it('is at most its maximum, and counts no products that the coupon leaves out', async () => {
    const id = await ordered({ percent_bp: 1000, max_discount_poisha: 10_000 })
    await edit(id, [[mango, 15]])
    expect(await discounts(id)).toEqual([100, 100])
    await sql`update products set coupon_applicable = false where id = ${honey}`.execute(db)
    const other = await ordered({ percent_bp: 1000 })
    expect(await discounts(other)).toEqual([200, 200])
    await edit(other, [[mango, 20]])
    expect(await discounts(other)).toEqual([200, 200])
  })

  it('of an amount is at most the products that it is for', async () => {
    const id = await ordered({ kind: 'others', percent_bp: 0, value_poisha: 30_000 })
    await edit(id, [
      [honey, 2],
      [mango, 1],
    ])
    expect(await discounts(id)).toEqual([300, 300])
    await edit(id, [[honey, 2]])
    expect(await discounts(id)).toEqual([240, 240])
  })

  it('counts products that left the shop after the order', async () => {
    const id = await ordered({ percent_bp: 1000 })
    await sql`update products set visible = false where id = ${mango}`.execute(db)
    await edit(id, [
      [honey, 2],
      [mango, 5],
    ])
    expect(await discounts(id)).toEqual([74, 74])
  })

  it('has the terms of ordering after a change of the coupon, and stays as a manager has set it', async () => {
    const changed = await ordered({ percent_bp: 1000 })
    await sql`update coupons set percent_bp = 500 where id = (select coupon_id from coupon_uses where order_id = ${changed})`.execute(db)
    await edit(changed, [[mango, 20]])
    expect(await discounts(changed)).toEqual([200, 200])

    const set = await ordered({ percent_bp: 1000 })
    await edit(set, [[mango, 10]], { discount: 150 }, manager)
    expect(await discounts(set)).toEqual([150, 150])
    await edit(set, [[mango, 5]])
    expect(await discounts(set)).toEqual([150, 150])
  })
})
