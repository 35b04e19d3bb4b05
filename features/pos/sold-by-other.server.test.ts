import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// A sale whose answer was lost stays on the screen. The next cashier, or the register that resumes it, must not sell it once more.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [first, second, manager] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier'), await signedIn(shop, 'manager')]
for (const one of [first, second]) await one.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
const mango = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 10_000 })
const PHONE = '01712345678'
afterAll(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

const sale = (more: object = {}) => ({
  products: [{ id: mango.id, quantity: 1 }],
  customer: { phone: PHONE },
  total: 100,
  transactions: { cash: 100 },
  ...more,
})
const store = (who: typeof first, body: object, key: string) =>
  who.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': key } })
const nameOf = async (id: number) => (await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name
const count = async () => (await sql<{ n: number }>`select count(*)::int as n from orders`.execute(db)).rows[0]!.n

it('a sale on account is sold by one cashier; the other is told by whom, and sells it as a new sale only under a new key', async () => {
  expect((await store(first, sale(), crypto.randomUUID())).status).toBe(200)
  const { id } = await db.selectFrom('users').select('id').where('phone', '=', PHONE).executeTakeFirstOrThrow()
  expect((await manager.post(`/admin/customers/${id}/credit-limit`, { credit_limit: 500, previous: 0 })).status).toBe(200)
  const onAccount = sale({ on_account: 100, transactions: {} })
  for (const key of [crypto.randomUUID(), 'a-key:with:colons']) {
    const sold = await store(first, onAccount, key)
    expect(sold.status, sold.text).toBe(200)
    const before = await count()
    const again = await store(second, onAccount, key)
    expect([again.status, again.body]).toMatchObject([409, { reason: 'key-reused', order_id: sold.body.order_id }])
    expect(again.body.message).toBe(`${await nameOf(first.id)} has already sold this: order ${sold.body.order_id}.`)
    expect(await count()).toBe(before)
    // The first cashier gets the first answer again.
    expect((await store(first, onAccount, key)).body.order_id).toBe(sold.body.order_id)
  }
  expect((await store(second, onAccount, crypto.randomUUID())).status).toBe(200)
})

it('a plain sale is sold by one cashier, in the statement that plain sales share', async () => {
  for (const key of [crypto.randomUUID(), 'another-key:with:colons']) {
    const sold = await store(first, sale(), key)
    const before = await count()
    const again = await store(second, sale(), key)
    expect([again.status, again.body]).toMatchObject([409, { reason: 'key-reused', order_id: sold.body.order_id }])
    expect(again.body.message).toBe(`${await nameOf(first.id)} has already sold this: order ${sold.body.order_id}.`)
    expect(await count()).toBe(before)
    expect((await store(first, sale(), key)).body.order_id).toBe(sold.body.order_id)
  }
  expect((await store(second, sale(), crypto.randomUUID())).status).toBe(200)
})

it('of two cashiers who send one key at the same time, one sells it', async () => {
  for (let round = 0; round < 10; round++) {
    const [key, before] = [crypto.randomUUID(), await count()]
    const answers = await Promise.all([first, second, first, second].map((who) => store(who, sale(), key)))
    const sold = answers.filter(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409])
    expect(new Set(sold.map(({ body }) => body.order_id)).size).toBe(1)
    expect(await count()).toBe(before + 1)
  }
})

it('keys that begin alike are keys of their own', async () => {
  const keys = ['receipt-00001', 'receipt-00002', 'receipt-00003']
  for (const [at, key] of keys.entries()) expect((await store(at === 1 ? second : first, sale(), key)).status).toBe(200)
  expect((await store(second, sale(), keys[0]!)).status).toBe(409)
})

it('a sale that another cashier has recorded is not discarded', async () => {
  const key = crypto.randomUUID()
  const sold = await store(first, sale(), key)
  const discard = { key, reason: 'Customer left', sold_at: shop.clock.now.toISOString(), total: 100, phone: PHONE, products: [] }
  const dropped = await second.post('/admin/quick-orders/unsent/drop', discard)
  expect([dropped.status, dropped.body.order_id]).toEqual([409, sold.body.order_id])
})

it('a key that is in use with other contents names its order', async () => {
  const key = crypto.randomUUID()
  const sold = await store(first, sale(), key)
  const other = await store(first, sale({ customer: { phone: '01712345679' } }), key)
  expect([other.status, other.body]).toMatchObject([409, { reason: 'key-reused', order_id: sold.body.order_id }])
  expect(other.body.message).toContain(`Order ${sold.body.order_id} was already recorded`)
})

it('an exchange is recorded by one cashier', async () => {
  const bought = await store(
    first,
    sale({ products: [{ id: mango.id, quantity: 4 }], total: 400, transactions: { cash: 400 } }),
    'exchange-bought',
  )
  const back = { lines: [{ product_id: mango.id, quantity: 1 }], reason: 'Soft', refund: {} }
  const exchange = (who: typeof first) =>
    who.post(
      `/admin/quick-orders/exchange/${bought.body.order_id}`,
      { ...sale({ transactions: {} }), exchange: back },
      { headers: { 'idempotency-key': 'exchange-key' } },
    )
  const done = await exchange(first)
  expect(done.status, done.text).toBe(200)
  const again = await exchange(second)
  expect([again.status, again.body]).toMatchObject([409, { reason: 'key-reused', order_id: done.body.order_id }])
})
