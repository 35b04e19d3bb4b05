import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { requestHash } from '#lib/http/idempotency-key.server.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { saleBody } from './forms.ts'

// Requests that were recorded without an answer, and are sent with other inputs: the server names the recorded one.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [cashier, manager] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'manager')]
for (const one of [cashier, manager]) await one.post('/admin/quick-orders/shift/open', { opening_cash: 5000 })
const honey = await buildProduct(db, { unit: 'kg', stock_milli: 10_000, price_poisha: 12_000 })
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const keys = (key: string, earlier?: string) => ({ headers: { 'idempotency-key': key, ...(earlier ? { 'x-earlier-keys': earlier } : {}) } })
const count = async (table: 'pos_cash_movements' | 'pos_returns') =>
  Number((await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]!.n)

it('cash in or out', async () => {
  const move = (reason: string, key: string, earlier?: string, who = cashier) =>
    who.post('/admin/quick-orders/shift/cash', { direction: 'out', amount: 100, reason }, keys(key, earlier))
  expect((await move('Tea', 'cash-key-1')).body).toEqual({ success: true })
  const again = await move('Tea and biscuits', 'cash-key-2', 'cash-key-0 cash-key-1')
  expect(again).toMatchObject({ status: 200, body: { success: true, recorded_at: shop.clock.now.toISOString() } })
  expect(await count('pos_cash_movements')).toBe(1)
  // The cashier says that it is another one. Keys of others, malformed ones, and those of rejected attempts name nothing.
  expect((await move('Tea and biscuits', 'cash-key-3')).body).toEqual({ success: true })
  expect((await move('Ice', 'cash-key-4', 'cash-key-1', manager)).body).toEqual({ success: true })
  expect((await move('Rice', 'cash-key-5', `short ${'x'.repeat(300)} cash-key-9`)).body).toEqual({ success: true })
  expect(await count('pos_cash_movements')).toBe(4)
  // The first attempt arrives after the second.
  expect((await move('Sugar', 'cash-key-7', 'cash-key-6')).body).toEqual({ success: true })
  expect((await move('Suga', 'cash-key-6')).status).toBe(409)
  expect(await count('pos_cash_movements')).toBe(5)
})

it('a return without a receipt', async () => {
  const back = (reason: string, key: string, earlier?: string) => {
    const body = { lines: [{ product_id: honey.id, quantity: 1, price: 120 }], phone: '01712345678', reason, refund: { cash: 120 } }
    return manager.post('/admin/quick-orders/return-without-receipt', body, keys(key, earlier))
  }
  const first = (await back('Not rip', 'back-key-1')).body as { return_id?: number }
  expect(first).not.toHaveProperty('recorded_at')
  const again = await back('Not ripe', 'back-key-2', 'back-key-1')
  expect(again).toMatchObject({ status: 200, body: { return_id: first.return_id, recorded_at: shop.clock.now.toISOString() } })
  expect([await count('pos_returns'), (await stockOf(db, honey.id)).left]).toEqual([1, 11])
  expect((await back('Not ripe', 'back-key-3')).body).not.toHaveProperty('recorded_at')
  expect(await count('pos_returns')).toBe(2)
  expect((await back('Sour', 'back-key-5', 'back-key-4')).body).not.toHaveProperty('recorded_at')
  expect(await back('Sou', 'back-key-4')).toMatchObject({ status: 409 })
  expect(await count('pos_returns')).toBe(3)
})

describe('a sale that is placed once more', () => {
  const shiftOf = async () =>
    (await sql<{ id: number }>`select id from pos_shifts where cashier_id = ${cashier.id}`.execute(db)).rows[0]!.id
  const saleOf = async (soldAt: Date, quantity = 1) => ({
    products: [{ id: honey.id, quantity: String(quantity), price: 120 }],
    transactions: { cash: 120 * quantity, bkash: 0, bank: 0 },
    total: 120 * quantity,
    customer: { phone: '01712345678' },
    sold_at: soldAt.toISOString(),
    cashier_id: cashier.id,
    shift_id: await shiftOf(),
  })
  const place = (body: object, key: string, sentAt: Date) =>
    cashier.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': key, 'x-sent-at': sentAt.toISOString() } })
  const at = (minutes: number) => new Date(shop.clock.now.getTime() + minutes * 60_000)

  // After a reload the page does not know when the sale was placed first.
  it.each([0, 5])('%d minutes later is the same sale', async (minutes) => {
    const key = `placed-twice-${minutes}`
    const first = await place(await saleOf(at(0)), key, at(0))
    const again = await place(await saleOf(at(minutes + 0.1)), key, at(minutes + 0.2))
    expect(again).toMatchObject({ status: 200, body: { order_id: first.body.order_id } })
    expect(await place(await saleOf(at(0), 2), key, at(0))).toMatchObject({ status: 409, body: { reason: 'key-reused' } })
  })

  it('is the same sale where release 0.1 recorded it', async () => {
    const body = await saleOf(at(0))
    const first = await place(body, 'placed-before-1', at(0))
    const hash = requestHash(saleBody.parse(body))
    await sql`update orders set request_hash = decode(${hash}, 'hex') where id = ${first.body.order_id}`.execute(db)
    expect(await place(body, 'placed-before-1', at(9))).toMatchObject({ status: 200, body: { order_id: first.body.order_id } })
  })
})
