import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { orderedByShopper, orderOf, signedIn } from '../testing/admin-shop.ts'

// The delivery charge of an edited order, and the single error of an invalid line.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const elsewhere = await buildArea(db, { cattle: 2500, produce: 150 })
const manager = await signedIn(shop, 'manager')

let before = new Map<number, number>()
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

async function ordered() {
  const order = await orderedByShopper(shop, area.id)
  before = await countStock(db)
  return order
}
const update = (id: number, body: Record<string, unknown>) =>
  manager.post(`/admin/orders/update/${id}`, { address: 'House 5, Road 3', ...body })
const line = (product_id: number, quantity: number) => ({ product_id, quantity, base_price: 1, price_on_order: '' })
const read = async (id: number) => (await sql<Record<string, unknown>>`select * from orders where id = ${id}`.execute(db)).rows[0]!

describe('the delivery charge of an edited order', () => {
  // [M3]: the charge follows the area unless staff set it; an empty charge keeps the old one. ৳1,500 before, ৳2,500 in the other area.
  it.each<[string, { shipping_cost?: unknown; area?: 'other' | 'same' }, number, number?]>([
    ['nothing sent', {}, 1500],
    ['emptied', { shipping_cost: '' }, 1500],
    ['blank', { shipping_cost: '  ' }, 1500],
    ['null', { shipping_cost: null }, 1500],
    ['nothing', { shipping_cost: 0 }, 0],
    ['nothing, as typed', { shipping_cost: '০' }, 0],
    ['set', { shipping_cost: '1,200' }, 1200],
    ['the same area', { area: 'same' }, 1500],
    ['the same area, emptied', { area: 'same', shipping_cost: '' }, 1500],
    ['another area', { area: 'other' }, 2500],
    ['another area, emptied', { area: 'other', shipping_cost: '' }, 1500],
    ['another area, null', { area: 'other', shipping_cost: null }, 1500],
    ['another area, set', { area: 'other', shipping_cost: 900 }, 900],
    ['another area, set to nothing', { area: 'other', shipping_cost: 0 }, 0],
    // An HTML form sends every field, so an unchanged charge was not set.
    ['another area, the old charge', { area: 'other', shipping_cost: 1500 }, 1500, 2500],
  ])('delivery charge: %s', async (_what, { area: to, ...body }, expected, byForm = expected) => {
    const area_id = { area_id: to === 'other' ? elsewhere.id : area.id }
    for (const isForm of [false, true]) {
      const { id } = await ordered()
      const sent = { address: 'House 5, Road 3', ...body, ...(to ? area_id : {}) }
      const fields = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value ?? '')]))
      const answer = isForm ? await manager.postForm(`/admin/orders/update/${id}`, fields) : await update(id, sent)
      expect(answer.status, answer.text).toBe(isForm ? 303 : 200)
      const shipping = isForm ? byForm : expected
      expect(await read(id)).toMatchObject({ shipping_poisha: shipping * 100, total_poisha: 11_150_000 + shipping * 100 })
      const { rows } = await sql<{ detail: { shipping?: object } }>`
        select detail from order_events where order_id = ${id} and kind = 'edited'`.execute(db)
      expect(rows[0]?.detail.shipping).toEqual(shipping === 1500 ? undefined : { from: 1500, to: shipping })
    }
  })

  it('the charge of another area is computed from the remaining products', async () => {
    const { id, honey } = await ordered()
    expect(orderOf(await update(id, { area_id: elsewhere.id, products: [line(honey, 3)] }))).toMatchObject({
      shipping_cost: 150,
      total: 1650,
    })
  })

  it('the charge of another area counts products that left the shop after the order', async () => {
    const { id, cow } = await ordered()
    await sql`update products set visible = false, archived_at = now() where id = ${cow}`.execute(db)
    expect(orderOf(await update(id, { area_id: elsewhere.id }))).toMatchObject({ shipping_cost: 2500 })
    const closed = await buildArea(db, { cattle: 'closed', produce: 80 })
    const refused = await update(id, { area_id: closed.id })
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['area_id']])
  })

  describe('with two deliveries', () => {
    async function orderedForTwo() {
      const soon = await buildProduct(db, { price_poisha: 10_000 })
      const late = await buildProduct(db, { price_poisha: 20_000, delivery_on: addDays(dhakaDate(shop.clock.now), 20) })
      before = await countStock(db)
      const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', deliveries: 2 }
      const lines: [number, number][] = [
        [soon.id, 1],
        [late.id, 1],
      ]
      const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, lines, cash))
      expect(body.order_id, text).toBeTypeOf('number')
      const id = body.order_id!
      expect(await state(id)).toEqual({ deliveries: 2, shipping_poisha: 16_000, is_split: true })
      return { id, first: [line(soon.id, 1)], both: [line(soon.id, 1), line(late.id, 1)] }
    }
    const state = async (id: number) =>
      (
        await sql<object>`select deliveries, shipping_poisha, first_delivery_on(o) is not null as is_split from orders o where id = ${id}`.execute(
          db,
        )
      ).rows[0]

    it('that became one it pays one charge and comes once, also with later products again', async () => {
      const { id, first, both } = await orderedForTwo()
      expect((await update(id, { products: first })).status).toBe(200)
      expect(await state(id)).toEqual({ deliveries: 1, shipping_poisha: 8000, is_split: false })
      expect((await update(id, { products: both })).status).toBe(200)
      expect(await state(id)).toEqual({ deliveries: 1, shipping_poisha: 8000, is_split: false })
    })

    it('of which the first was made it pays the second again with later products again', async () => {
      const { id, first, both } = await orderedForTwo()
      await sql`update orders set status = 'processing', list_on = ${dhakaDate(shop.clock.now)} where id = ${id}`.execute(db)
      expect((await update(id, { products: first })).status).toBe(200)
      expect(await state(id)).toEqual({ deliveries: 2, shipping_poisha: 8000, is_split: false })
      expect((await update(id, { note: 'Call first' })).status).toBe(200)
      expect(await state(id)).toMatchObject({ shipping_poisha: 8000 })
      expect((await update(id, { products: both })).status).toBe(200)
      expect(await state(id)).toEqual({ deliveries: 2, shipping_poisha: 16_000, is_split: true })
    })
  })

  it('an unpaid order that becomes free waits for no payment', async () => {
    const { id } = await ordered()
    await sql`update orders set expires_at = ${new Date(shop.clock.now.getTime() + 60_000)} where id = ${id}`.execute(db)
    expect((await update(id, { discount: 500 })).status).toBe(200)
    expect(await read(id)).toMatchObject({ expires_at: expect.any(Date) })
    expect((await update(id, { discount: 111_500, shipping_cost: 0 })).status).toBe(200)
    expect(await read(id)).toMatchObject({ total_poisha: 0, is_free_order: true, expires_at: null })
  })

  it('an invalid line with a discount has one error', async () => {
    const { id, cow, honey } = await ordered()
    expect((await update(id, { discount: 500 })).status).toBe(200)
    const wrong = [
      [[line(cow, 2)], 'products.0.quantity'],
      [[line(99_999, 1)], 'products.0.product_id'],
      [[line(cow, 1), line(honey, 0.5)], 'products.1.quantity'],
    ] as const
    for (const [products, field] of wrong) expect(Object.keys((await update(id, { products })).body.errors ?? {})).toEqual([field])
    // A discount that is too high has its own error.
    expect(Object.keys((await update(id, { products: [line(honey, 1)], discount: 501 })).body.errors ?? {})).toEqual(['discount'])
  })
})
