import { afterAll, describe, expect, it } from 'vitest'
import { addDays, dhakaDate } from '#lib/format/time.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { signedIn } from '../testing/admin-shop.ts'

// Staff choose the delivery day of a new order, and collection at the farm for new and existing orders.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})
const area = await buildArea(db, { produce: 80 })
const cane = await buildProduct(db, { price_poisha: 10_000 })
const manager = await signedIn(shop, 'manager')
const TODAY = dhakaDate(shop.clock.now)

let phones = 0
async function create(more: object, client = manager) {
  phones += 1
  const body = { name: 'Karim', phone: `017${10_000_000 + phones}`, products: [{ product_id: cane.id, quantity: 1 }], ...more }
  const answer = await client.post('/admin/orders/store', body)
  return { ...answer, id: answer.body.order_id ?? 0 }
}
const DELIVERED = { address: 'House 5', area_id: area.id }
const order = (id: number) =>
  db
    .selectFrom('orders')
    .select(['version', 'list_on', 'is_collection', 'shipping_poisha', 'total_poisha', 'area_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

describe('a new order by staff', () => {
  it('is delivered on the chosen day, also today', async () => {
    for (const list_on of [TODAY, addDays(TODAY, 40)])
      expect(await order((await create({ ...DELIVERED, list_on })).id)).toMatchObject({ list_on, shipping_poisha: 8000 })
    expect(await order((await create({ ...DELIVERED, list_on: '' })).id)).toMatchObject({ list_on: addDays(TODAY, 1) })
  })

  it.each([[addDays(TODAY, -1)], ['2026-02-30'], ['soon'], [5], [{}]])('is rejected with the day %j', async (list_on) => {
    const answer = await create({ ...DELIVERED, list_on })
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['list_on']])
  })

  it('is collected without charge, area and address, whatever charge is typed', async () => {
    const { id } = await create({ is_collection: true, shipping_cost: 500 })
    expect(await order(id)).toMatchObject({ is_collection: true, shipping_poisha: 0, total_poisha: 10_000, area_id: null })
  })

  it('needs area and address otherwise', async () => {
    expect(Object.keys((await create({})).body.errors ?? {}).sort()).toEqual(['address', 'area_id'])
    const beside = await create({ phone: '', name: 'x'.repeat(5000), products: [] })
    expect(Object.keys(beside.body.errors ?? {}).sort()).toEqual(['address', 'area_id', 'name', 'phone', 'products'])
    expect(Object.keys((await create({ is_collection: false, address: 'House 5' })).body.errors ?? {})).toEqual(['area_id'])
  })

  it('is refused to a viewer', async () => {
    expect((await create({ is_collection: true }, await signedIn(shop, 'viewer'))).status).toBe(403)
  })
})

describe('an existing order', () => {
  it('becomes a collected one for no charge, and a delivered one for that of the area', async () => {
    const { id } = await create(DELIVERED)
    const edit = async (body: object) =>
      manager.post(`/admin/orders/update/${id}`, { address: 'House 5', version: (await order(id)).version, ...body })
    expect((await edit({ is_collection: true })).status).toBe(200)
    expect(await order(id)).toMatchObject({ is_collection: true, shipping_poisha: 0, total_poisha: 10_000, area_id: null })
    expect((await edit({ is_collection: false })).status).toBe(422)
    expect((await edit({ is_collection: false, area_id: area.id })).status).toBe(200)
    expect(await order(id)).toMatchObject({ is_collection: false, shipping_poisha: 8000, total_poisha: 18_000, area_id: area.id })
  })

  it('is changed by one of two at once', async () => {
    const { id } = await create(DELIVERED)
    const { version } = await order(id)
    const answers = await Promise.all([
      manager.post(`/admin/orders/update/${id}`, { address: 'House 5', version, is_collection: true }),
      manager.post(`/admin/orders/update/${id}`, { address: 'House 5', version, list_on: addDays(TODAY, 5) }),
    ])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
  })
})
