import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { listMovements } from '#features/catalog/products/count-stock.server.ts'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

// A difference is applied once, although the product was counted in two places.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

let honey: number
beforeEach(async () => void (honey = (await buildProduct(db, { unit: 'piece', stock_milli: 10_000 })).id))

async function start(): Promise<number> {
  const { body } = await manager.post('/admin/stock-takes', { category_id: '', note: '' })
  return (body as { id: number }).id
}
const count = (take: number, quantity: string, reason = 'counted') =>
  manager.post(`/admin/stock-takes/${take}/count`, { product_id: honey, quantity, reason, version: null })
const remove = (take: number, version: number) => manager.post(`/admin/stock-takes/${take}/remove`, { product_id: honey, version })
const setStock = (kind: string, quantity: string) => manager.post(`/admin/products/${honey}/stock`, { kind, quantity, note: '' })
async function close(take: number) {
  const { body } = await manager.get(`/api/admin/stock-takes/${take}/recent`)
  return manager.post(`/admin/stock-takes/${take}/close`, { revision: (body as { summary: { revision: string } }).summary.revision })
}
const left = async () => (await stockOf(db, honey)).left

it('on two stock takes: the second one asks for another count', async () => {
  const [first, second] = [await start(), await start()]
  await count(first, '8', 'spoiled')
  await count(second, '8', 'spoiled')
  await setStock('received', '5')
  expect([(await close(second)).status, await left()]).toEqual([200, 13])
  const refused = await close(first)
  expect([refused.status, refused.body, await left()]).toMatchObject([
    409,
    { problems: [{ reason: 'counted-since', row: { id: honey } }] },
    13,
  ])
  await remove(first, 1)
  await count(first, '12', 'lost')
  expect([(await close(first)).status, await left()]).toEqual([200, 12])
})

it('on the page of the product', async () => {
  const take = await start()
  await count(take, '8')
  await setStock('counted', '8')
  expect([(await close(take)).status, await left()]).toEqual([409, 8])
})

it.each(['10', '8'])('on the page of the product, and found as expected: %s', async (expected) => {
  if (expected === '8') await setStock('counted', '8')
  const take = await start()
  await count(take, '7')
  await setStock('counted', expected)
  expect([(await close(take)).status, await left()]).toEqual([409, Number(expected)])
})

it('on another stock take, and found as expected', async () => {
  const [first, second] = [await start(), await start()]
  await count(first, '8')
  await count(second, '10')
  expect([(await close(second)).status, await left()]).toEqual([200, 10])
  expect([(await close(first)).status, await left()]).toEqual([409, 10])
  const take = { id: second, reason: 'counted' }
  expect(await listMovements(db, honey)).toMatchObject([{ delta: 0, reason: 'counted', by: expect.any(String), take, note: null }])
})

it('on two stock takes: an equal count that another has replaced confirms nothing', async () => {
  const [first, second, third] = [await start(), await start(), await start()]
  await count(first, '10')
  await count(second, '8', 'lost')
  expect((await close(second)).status).toBe(200)
  await count(third, '7', 'lost')
  expect((await close(first)).status).toBe(200)
  expect(await listMovements(db, honey)).toMatchObject([{ delta: -2, take: { id: second } }])
  expect([(await close(third)).status, await left()]).toEqual([200, 7])
})

it('damaged products that came back meanwhile are no count', async () => {
  const take = await start()
  await count(take, '9')
  const back = { product_id: honey, movement: 'return', delta_milli: 2000, reason: 'freed' }
  const moves = [back, { ...back, movement: 'write-off', delta_milli: -2000, reason: 'spoiled' }]
  await sql`select move_stock(${JSON.stringify(moves)}::jsonb)`.execute(db)
  expect([(await close(take)).status, await left()]).toEqual([200, 9])
})
