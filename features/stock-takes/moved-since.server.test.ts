import { afterAll, beforeEach, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

// A product is counted a second time after its stock has changed: 10 jars are counted in the morning, 5 arrive, and 15 are there at noon.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

let honey: number
let take: number
beforeEach(async () => {
  honey = (await buildProduct(db, { unit: 'piece', stock_milli: 10_000 })).id
  take = ((await manager.post('/admin/stock-takes', { category_id: '', note: '' })).body as { id: number }).id
})

const count = (quantity: string, version: number | null, reason = 'counted') =>
  manager.post(`/admin/stock-takes/${take}/count`, { product_id: honey, quantity, reason, version })
const receive = (quantity: string) => manager.post(`/admin/products/${honey}/stock`, { kind: 'received', quantity, note: '' })
async function close() {
  const { body } = await manager.get(`/api/admin/stock-takes/${take}/recent`)
  return manager.post(`/admin/stock-takes/${take}/close`, { revision: (body as { summary: { revision: string } }).summary.revision })
}
const left = async () => (await stockOf(db, honey)).left

it('another quantity is refused until the first count is removed', async () => {
  await count('10', null)
  await receive('5')
  const again = await count('15', 1)
  expect([again.status, again.body.errors]).toEqual([422, { quantity: [expect.stringMatching(/^The stock has changed/)] }])
  await manager.post(`/admin/stock-takes/${take}/remove`, { product_id: honey, version: 1 })
  expect((await count('15', null)).status).toBe(200)
  expect([(await close()).status, await left()]).toEqual([200, 15])
})

it('the same quantity gets another reason, and a scan still adds to it', async () => {
  await count('8', null)
  await receive('5')
  expect((await count('8', 1, 'lost')).status).toBe(200)
  expect((await manager.post(`/admin/stock-takes/${take}/scan`, { product_id: honey, quantity: '1' })).status).toBe(200)
  expect([(await close()).status, await left()]).toEqual([200, 14])
})

it('while the stock is that of the first count, another quantity replaces it', async () => {
  await count('8', null)
  expect((await count('9', 1)).status).toBe(200)
  expect([(await close()).status, await left()]).toEqual([200, 9])
})
