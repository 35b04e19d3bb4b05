import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { signedIn } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { plainText } from '../testing/plain-text.ts'
import { findAccount } from './account-queries.server.ts'
import { readStatement } from './statement.server.ts'
import { openShop } from '#test/request.ts'

// Orders on account in the admin: an edit or a reopening raises the debt to the credit limit at most, by the rule of the POS.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 0 })
const [cashier, manager] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'manager')]
await cashier.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })
const mango = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 10_000 })
const HTML = { accept: 'text/html' }
let phone: string
let next = 0
beforeEach(async () => {
  phone = `0171234${String(1000 + ++next)}`
  await db.insertInto('users').values({ name: 'Rahima', phone, credit_limit_poisha: 50_000 }).execute()
})
afterEach(async () => {
  await expectInvariants(db)
  expect(shop.failures).toEqual([])
})

async function sellOnAccount(quantity: number): Promise<number> {
  const sale = {
    products: [{ id: mango.id, quantity }],
    customer: { phone },
    transactions: {},
    total: quantity * 100,
    on_account: quantity * 100,
    delivery: { area_id: area.id, address: 'House 5' },
  }
  const answer = await cashier.post('/admin/quick-orders/store', sale)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}
const edit = (id: number, quantity: number, more: object = {}) =>
  manager.post(`/admin/orders/update/${id}`, {
    address: 'House 5',
    products: [{ product_id: mango.id, quantity, base_price: 100, price_on_order: '' }],
    ...more,
  })
const status = (id: number, to: string, reason = 'Changed') =>
  manager.post(`/admin/orders/update/${id}`, { address: 'House 5', status: to, reason })
const owed = async () =>
  (await sql<{ owed: number }>`select account_balance(id)::int / 100 as owed from users where phone = ${phone}`.execute(db)).rows[0]!.owed

it('an edit reaches the limit and does not exceed it; nothing of a rejected one is written', async () => {
  const id = await sellOnAccount(2)
  await sellOnAccount(2)
  const over = await edit(id, 4)
  expect(over).toMatchObject({ status: 422, body: { errors: { products: [expect.stringMatching(/100.*500.*400/)] } } })
  expect(await owed()).toBe(400)
  const { rows } = await sql`select version, total_poisha::int as total from orders where id = ${id}`.execute(db)
  expect(rows).toEqual([{ version: 1, total: 20_000 }])
  expect((await edit(id, 3)).status).toBe(200)
  expect(await owed()).toBe(500)
  expect((await edit(id, 3, { shipping_cost: 10 })).body.errors).toHaveProperty('products')
})

it('an edit that makes the debt smaller is allowed above a lowered limit; other fields always', async () => {
  const id = await sellOnAccount(4)
  await db.updateTable('users').set({ credit_limit_poisha: 10_000 }).where('phone', '=', phone).execute()
  expect((await edit(id, 4, { landmark: 'Bridge' })).status).toBe(200)
  expect((await edit(id, 3)).status).toBe(200)
  expect((await edit(id, 4)).status).toBe(422)
  expect(await owed()).toBe(300)
})

it('two edits at once do not exceed the limit together, nor does an edit with a sale', async () => {
  const [one, two] = [await sellOnAccount(1), await sellOnAccount(1)]
  const edits = await Promise.all([edit(one, 4), edit(two, 4)])
  expect(edits.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 422])
  expect(await owed()).toBe(500)
  expect((await edit(edits[0]!.status === 200 ? one : two, 1)).status).toBe(200)
  const sale = { products: [{ id: mango.id, quantity: 2 }], customer: { phone }, transactions: {}, total: 200, on_account: 200 }
  const both = await Promise.all([edit(one, 3), cashier.post('/admin/quick-orders/store', sale)])
  expect(both.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 422])
  expect(await owed()).toBeLessThanOrEqual(500)
})

it('a cancelled order is reopened within the limit, one by one and in a batch', async () => {
  const id = await sellOnAccount(4)
  expect((await status(id, 'cancelled')).status).toBe(200)
  await sellOnAccount(3)
  expect((await status(id, 'placed')).body.errors).toEqual({ status: [expect.stringContaining('200')] })
  const { version } = await db.selectFrom('orders').select('version').where('id', '=', id).executeTakeFirstOrThrow()
  const batch = await manager.post('/admin/orders/status', { status: 'placed', reason: '', orders: [{ id, version }] })
  expect(batch.body).toMatchObject({ results: [{ id, ok: false, message: expect.stringContaining('200') }] })
  expect(await owed()).toBe(300)
  await db.updateTable('users').set({ credit_limit_poisha: 70_000 }).where('phone', '=', phone).execute()
  expect((await status(id, 'placed')).status).toBe(200)
  expect(await owed()).toBe(700)
})

it('the statement shows edits and a cancellation at their own time, whatever happens later', async () => {
  const id = await sellOnAccount(1)
  const later = () => (shop.clock.now = new Date(shop.clock.now.getTime() + 120_000)).toISOString()
  const rows = async () => {
    const { id: customer } = await db.selectFrom('users').select('id').where('phone', '=', phone).executeTakeFirstOrThrow()
    const days = { from: '2020-01-01', to: '2100-01-01' }
    return (await readStatement(db, customer, days)).rows.slice(1).map(({ at, kind, amount, balance }) => [at, kind, amount, balance])
  }
  const edited = later()
  expect((await edit(id, 4)).status).toBe(200)
  const lowered = later()
  expect((await edit(id, 3)).status).toBe(200)
  const changes = [
    [edited, 'changed', 30_000, 40_000],
    [lowered, 'changed', -10_000, 30_000],
  ]
  expect(await rows()).toEqual(changes)
  later()
  expect((await edit(id, 3, { landmark: 'Bridge' })).status).toBe(200)
  expect(await rows()).toEqual(changes)
  const ended = later()
  expect((await status(id, 'cancelled')).status).toBe(200)
  later()
  await sql`update orders set updated_at = ${shop.clock.now} where id = ${id}`.execute(db)
  const closed = [...changes, [ended, 'changed', -30_000, 0]]
  expect(await rows()).toEqual(closed)
  const reopened = later()
  expect((await status(id, 'placed')).status).toBe(200)
  const open = [...closed, [reopened, 'changed', 30_000, 30_000]]
  expect(await rows()).toEqual(open)
  const raised = later()
  expect((await edit(id, 4)).status).toBe(200)
  const endedAgain = later()
  expect((await status(id, 'cancelled')).status).toBe(200)
  expect(await rows()).toEqual([...open, [raised, 'changed', 10_000, 40_000], [endedAgain, 'changed', -40_000, 0]])
})

it('a refund due of one sale stands beside the debt of another, so that page, print view and the balance of the statement agree', async () => {
  const [paid] = [await sellOnAccount(2), await sellOnAccount(1)]
  const { id: customer } = await db.selectFrom('users').select('id').where('phone', '=', phone).executeTakeFirstOrThrow()
  const all = { from: '2020-01-01', to: '2100-01-01' }
  const pages = [
    `/admin/customers/${customer}/statement`,
    `/admin/customers/${customer}/statement/print`,
    `/admin/quick-orders/account?phone=${phone}`,
  ]
  const textsOf = async () => {
    const texts = await Promise.all(
      pages.map(async (page) => (await manager.get(`${page}${page.includes('?') ? '&' : '?'}lang=en`, HTML)).text),
    )
    return texts.map((text) => plainText(text).match(/Refund due: ৳\d+/)?.[0])
  }
  expect((await cashier.post(`/admin/quick-orders/account/${customer}/payments`, { amount: 200, method: 'cash', owed: 300 })).status).toBe(
    200,
  )
  expect(await textsOf()).toEqual([undefined, undefined, undefined])
  expect((await edit(paid, 1.5)).status).toBe(200)
  const { owed: debt, refundDue } = (await findAccount(db, { id: customer }))!
  expect([debt, refundDue, (await readStatement(db, customer, all)).closing]).toEqual([10_000, 5000, 5000])
  expect(await textsOf()).toEqual(['Refund due: ৳50', 'Refund due: ৳50', 'Refund due: ৳50'])
})
