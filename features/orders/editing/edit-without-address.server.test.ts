import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { signedIn, storeBody } from '../testing/admin-shop.ts'
import { adminOrder } from '../testing/online-payments.ts'

// Orders without an address, as the order page edits them: it sends the address with every save and every step.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const manager = await signedIn(shop, 'manager')
await manager.post('/admin/quick-orders/shift/open', { opening_cash: 5000 })
let before = new Map<number, number>()
let mango = 0
beforeEach(async () => {
  mango = (await buildProduct(db, { unit: 'kg', stock_milli: 40_000, price_poisha: 10_000 })).id
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

async function soldOverCounter(): Promise<number> {
  const sale = { products: [{ id: mango, quantity: 2 }], customer: { phone: '01712345678' }, total: 200 }
  const sold = await manager.post('/admin/quick-orders/store', { ...sale, transactions: { cash: 200 }, change_amount: 0 })
  if (!sold.body.order_id) throw new Error(sold.text)
  return sold.body.order_id
}
async function save(id: number, body: object) {
  const { version, address } = await adminOrder(manager, id)
  return manager.post(`/admin/orders/update/${id}`, { address, version, ...body })
}
const shownOf = async (id: number) =>
  (await sql`select status, address, area_id, remarks, is_over_counter(orders) as is_over_counter from orders where id = ${id}`.execute(db))
    .rows[0]

it('a sale over the counter is returned, reopened and edited, and stays one', async () => {
  const id = await soldOverCounter()
  const steps = [{ status: 'returned', reason: 'Not ripe' }, { status: 'processing' }, { remarks: 'Comes tomorrow' }]
  for (const step of steps) expect(await save(id, step)).toMatchObject({ status: 200 })
  expect(await shownOf(id)).toEqual({ status: 'processing', address: '', area_id: null, remarks: 'Comes tomorrow', is_over_counter: true })
})

it('becomes a delivery with an area and an address, never without the address', async () => {
  const id = await soldOverCounter()
  await save(id, { status: 'returned', reason: 'Not ripe' })
  await save(id, { status: 'processing' })
  const refused = await save(id, { area_id: area.id })
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['address']])
  expect(await save(id, { area_id: area.id, address: 'House 5' })).toMatchObject({ status: 200 })
  expect(await shownOf(id)).toMatchObject({ address: 'House 5', area_id: area.id, is_over_counter: false })
})

it('a collected order takes its steps where the shop has no address, and needs one to be delivered', async () => {
  const body = storeBody(area.id, [[mango, 2]], { is_collection: true, address: '' })
  const { order_id: id = 0 } = (await manager.post('/admin/orders/store', body)).body
  expect(await shownOf(id)).toMatchObject({ address: '' })
  expect(await save(id, { status: 'processing' })).toMatchObject({ status: 200 })
  const refused = await save(id, { is_collection: false, area_id: area.id })
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['address']])
})
