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

const count = async (quantity: string, reason = 'counted') => {
  const answer = await manager.post(`/admin/stock-takes/${take}/count`, { product_id: honey, quantity, reason, version: null })
  expect(answer.status, answer.text).toBe(200)
}
/** Two jars that were sold so many minutes before they are sent. */
async function sendSale(minutes: number): Promise<void> {
  const { now } = shop.clock
  const sold = { sold_at: new Date(now.getTime() - minutes * MINUTE).toISOString(), customer: { phone: '01712345678' } }
  const body = { products: [{ id: honey, quantity: 2, price: 100 }], transactions: { cash: 200 }, total: 200, ...sold }
  const headers = { 'idempotency-key': `late-${Math.random()}`, 'x-sent-at': now.toISOString() }
  const answer = await manager.post('/admin/quick-orders/store', body, { headers })
  expect(answer.status, answer.text).toBe(200)
}
const revision = async () =>
  ((await manager.get(`/api/admin/stock-takes/${take}/recent`)).body as { summary: { revision: string } }).summary.revision
const close = async (confirmed?: string) => manager.post(`/admin/stock-takes/${take}/close`, { revision: confirmed ?? (await revision()) })
const left = async () => (await stockOf(db, honey)).left
const wait = (minutes: number) => (shop.clock.now = new Date(shop.clock.now.getTime() + minutes * MINUTE))

const line = async () => {
  const { rows } = await sql`select expected_milli::float8 / 1000 as expected, counted_milli::float8 / 1000 as counted, reason
    from stock_take_lines where take_id = ${take} and product_id = ${honey}`.execute(db)
  return rows[0]
}

it('a sale from before the count is not missed twice: its products are expected no longer', async () => {
  await count('8', 'lost')
  wait(30)
  await sendSale(60)
  expect(await line()).toEqual({ expected: 8, counted: 8, reason: 'counted' })
  expect([(await close()).status, await left()]).toEqual([200, 8])
})

it('the same where the count agreed with the stock, and where a difference remains', async () => {
  await count('10')
  wait(30)
  await sendSale(60)
  expect([(await close()).status, await left()]).toEqual([200, 10])
})

it('what is missing beyond the sale stays missing, for its reason', async () => {
  await count('5', 'lost')
  wait(30)
  await sendSale(60)
  expect(await line()).toMatchObject({ reason: 'lost' })
  expect([(await close()).status, await left()]).toEqual([200, 5])
})

it('the sale of a shift that was closed meanwhile is from before the count too, while the sheet is open and afterwards', async () => {
  await count('8')
  wait(30)
  await sql`update pos_shifts set opened_at = ${new Date(shop.clock.now.getTime() - MINUTE)}`.execute(db)
  await sendSale(60)
  expect([(await close()).status, await left()]).toEqual([200, 8])
  await sendSale(60)
  expect(await left()).toBe(8)
})

it('a closing that was confirmed before the sale came in shows the new numbers first', async () => {
  await count('8')
  wait(30)
  const confirmed = await revision()
  await sendSale(60)
  expect((await close(confirmed)).status).toBe(409)
  expect((await close()).status).toBe(200)
})

it('a sale from before a count on the page of the product leaves what was counted; one from after it does not', async () => {
  await manager.post(`/admin/products/${honey}/stock`, { kind: 'counted', quantity: '8', note: '' })
  const countedAt = new Date(shop.clock.now.getTime() - 30 * MINUTE)
  await sql`update audit_log set at = ${countedAt} where subject = 'product' and subject_id = ${String(honey)}`.execute(db)
  await sendSale(60)
  expect(await left()).toBe(8)
  await sendSale(10)
  expect(await left()).toBe(6)
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

it('a sale whose device set its clock meanwhile is from after the count', async () => {
  await count('8')
  await close()
  await sendSale(60 * 24 * 365 * 20)
  expect(await left()).toBe(6)
})
