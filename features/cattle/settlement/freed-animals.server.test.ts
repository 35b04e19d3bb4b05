import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { liveWeightPrice } from '#features/catalog/products/live-weight-rules.ts'
import { listRateTiers } from '#features/catalog/products/rate-tiers.server.ts'
import { expireOrders } from '#features/orders/status/expire-orders.server.ts'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// Animals that an order held while they were weighed, or while their rates changed, are free again.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500 })
const category = await buildCategory(db, { delivery_group: 'cattle', final_weighing_days: 4 })
await sql`insert into rate_tiers (category_id, season, from_grams, poisha_per_kg) values
  (${category.id}, '', 200000, 55000), (${category.id}, '', 251000, 54000)`.execute(db)
const manager = await signedIn(shop, 'manager')
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const today = '2026-11-20'
const secondLater = () => (shop.clock.now = new Date(shop.clock.now.getTime() + 1000))
const buildCow = (more: object = {}) =>
  buildAnimal(db, { category_id: category.id, weight_grams: 200_000, weighed_on: today, price_poisha: 11_000_000, ...more })

async function book(cow: number): Promise<number> {
  const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[cow, 1]]))
  expect(body.order_id, text).toBeTypeOf('number')
  secondLater()
  return body.order_id!
}
async function weigh(cow: number, weight_kg: number) {
  const body = { weight_kg, weighed_on: today, method: 'scale', weighed_by: 'Rafiq', confirmed: true }
  const response = await manager.post(`/admin/animals/${cow}/weigh-ins`, body)
  expect(response.status, response.text).toBe(200)
  secondLater()
}
async function edit(order: number, change: object) {
  const { rows } = await sql<{ version: number }>`select version from orders where id = ${order}`.execute(db)
  const response = await manager.post(`/admin/orders/update/${order}`, { address: 'Savar', version: rows[0]!.version, ...change })
  expect(response.status, response.text).toBe(200)
}
const cancel = (order: number) => edit(order, { status: 'cancelled', reason: 'No answer' })
const settle = (order: number, animal_id: number) => manager.post(`/admin/orders/${order}/settle`, { animal_id })
const priceOf = async (id: number) =>
  (await sql<{ price: number }>`select price_poisha as price from products where id = ${id}`.execute(db)).rows[0]!.price

it('a cancelled booking sets the price by the weight of now', async () => {
  const cow = await buildCow()
  const order = await book(cow.id)
  await weigh(cow.id, 260)
  expect(await priceOf(cow.id)).toBe(11_000_000)
  await cancel(order)
  expect(await priceOf(cow.id)).toBe(14_040_000)
})

it('two orders are settled by one weigh-in after each other', async () => {
  const [cow, ill] = [await buildCow(), await buildCow()]
  const [first, second] = [await book(cow.id), await book(ill.id)]
  await weigh(cow.id, 210)
  expect((await settle(first, cow.id)).status).toBe(200)
  await cancel(first)
  await edit(second, { products: [{ product_id: cow.id, quantity: '1' }] })
  expect(await settle(second, cow.id)).toMatchObject({ status: 200, body: { difference: 0 } })
})

it('an order that is reopened is settled by the weigh-in that settled another one', async () => {
  const cow = await buildCow()
  const first = await book(cow.id)
  await cancel(first)
  const second = await book(cow.id)
  await weigh(cow.id, 210)
  expect((await settle(second, cow.id)).status).toBe(200)
  await cancel(second)
  await edit(first, { status: 'placed' })
  expect(await settle(first, cow.id)).toMatchObject({ status: 200, body: { difference: 5500 } })
})

it('an animal that is taken off an order, or returned, has the price of its weight', async () => {
  const [cow, back] = [await buildCow(), await buildCow()]
  const order = await book(cow.id)
  await weigh(cow.id, 190.5)
  const other = await buildCow()
  await edit(order, { products: [{ product_id: other.id, quantity: '1' }] })
  // No rate is for this weight: the price of the booking stays.
  expect(await priceOf(cow.id)).toBe(11_000_000)
  const sent = await book(back.id)
  await weigh(back.id, 210)
  await sql`update orders set status = 'delivered' where id = ${sent}`.execute(db)
  await edit(sent, { status: 'returned', reason: 'Ill' })
  expect(await priceOf(back.id)).toBe(11_550_000)
})

it('a freed animal keeps a price that would be below its discount', async () => {
  const cow = await buildCow({ weight_grams: 220_000, price_poisha: 12_100_000, discount_kind: 'fixed', discount_value: 11_500_000 })
  const order = await book(cow.id)
  await weigh(cow.id, 205)
  await cancel(order)
  expect(await priceOf(cow.id)).toBe(12_100_000)
})

it('SQL computes the price like the shop does', async () => {
  const tiers = await listRateTiers(db, category.id, '')
  for (const grams of [100_000, 199_999, 200_000, 200_010, 225_455, 250_999, 251_000, 333_337, 1_999_990]) {
    const { rows } = await sql<{ price: number | null }>`select live_weight_price(${category.id}, '', ${grams}) as price`.execute(db)
    expect(rows[0]!.price, String(grams)).toBe(liveWeightPrice(grams, tiers))
  }
})

it('an unpaid order that is settled is cancelled at its deadline: a weighing is no payment', async () => {
  const [lighter, heavier] = [await buildCow(), await buildCow({ weight_grams: 210_000, price_poisha: 11_550_000 })]
  const byHand = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000, partial_payment: 10_000 }
  for (const cow of [lighter, heavier]) {
    const { body, text } = await shop.visitor().post('/customer-orders', orderBody(area.id, [[cow.id, 1]], byHand))
    expect(body.order_id, text).toBeTypeOf('number')
    secondLater()
    await weigh(cow.id, 205)
    expect((await settle(body.order_id!, cow.id)).status).toBe(200)
  }
  shop.clock.now = new Date(shop.clock.now.getTime() + 31 * 60_000)
  await expireOrders({ ...shop.deps, catalogChanged() {} })
  const { rows } = await sql`select status from products where id in (${lighter.id}, ${heavier.id})`.execute(db)
  expect(rows).toEqual([{ status: 'in-stock' }, { status: 'in-stock' }])
})
