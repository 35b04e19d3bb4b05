import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'

// A register without network sells while the stock is counted. Its sales reach the shop after the count, or after the closing.

const MINUTE = 60_000
const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const manager = await signedIn(shop, 'manager')
await manager.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
await sql`update pos_shifts set opened_at = ${new Date(shop.clock.now.getTime() - 600 * MINUTE)}`.execute(db)
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

let honey: number
let take: number
beforeEach(async () => {
  honey = (await buildProduct(db, { unit: 'piece', stock_milli: 10_000, price_poisha: 10_000 })).id
  take = ((await manager.post('/admin/stock-takes', { category_id: '', note: '' })).body as { id: number }).id
})

const count = (quantity: string) =>
  manager.post(`/admin/stock-takes/${take}/count`, { product_id: honey, quantity, reason: 'counted', version: null })
/** Two jars that were sold so many minutes before they are sent. */
async function sendSale(minutes: number): Promise<void> {
  const { now } = shop.clock
  const sold = { sold_at: new Date(now.getTime() - minutes * MINUTE).toISOString(), customer: { phone: '01712345678' } }
  const body = { products: [{ id: honey, quantity: 2, price: 100 }], transactions: { cash: 200 }, total: 200, ...sold }
  const headers = { 'idempotency-key': `late-${Math.random()}`, 'x-sent-at': now.toISOString() }
  const answer = await manager.post('/admin/quick-orders/store', body, { headers })
  expect(answer.status, answer.text).toBe(200)
}
async function close() {
  const { body } = await manager.get(`/api/admin/stock-takes/${take}/recent`)
  return manager.post(`/admin/stock-takes/${take}/close`, { revision: (body as { summary: { revision: string } }).summary.revision })
}
const left = async () => (await stockOf(db, honey)).left
const wait = (minutes: number) => (shop.clock.now = new Date(shop.clock.now.getTime() + minutes * MINUTE))

it('a sale from before the count is not missed twice: its product is counted again', async () => {
  expect((await count('8')).status).toBe(200)
  wait(30)
  await sendSale(60)
  const refused = await close()
  expect([refused.status, refused.body, await left()]).toMatchObject([
    409,
    { problems: [{ reason: 'sold-before', row: { id: honey } }] },
    8,
  ])
  await manager.post(`/admin/stock-takes/${take}/remove`, { product_id: honey, version: 1 })
  await count('8')
  expect([(await close()).status, await left()]).toEqual([200, 8])
})

it('a sale from after the count lowers what was counted', async () => {
  await count('9')
  wait(30)
  await sendSale(10)
  expect([(await close()).status, await left()]).toEqual([200, 7])
})

it('a sale that came in before the count is in it', async () => {
  await sendSale(40)
  await count('7')
  expect([(await close()).status, await left()]).toEqual([200, 7])
})

it('a sale from before a count that was closed leaves what was counted; one from after it does not', async () => {
  await count('3')
  wait(30)
  expect((await close()).status).toBe(200)
  wait(30)
  await sendSale(90)
  expect(await left()).toBe(3)
  await sendSale(50)
  expect(await left()).toBe(1)
  await sendSale(90)
  expect(await left()).toBe(1)
})
