import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { signedIn, stockOf, storeBody } from '../testing/admin-shop.ts'

// Creating orders: permissions, and several clerks concurrently.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [manager, sales, viewer, cashier] = [
  await signedIn(shop, 'manager'),
  await signedIn(shop, 'sales'),
  await signedIn(shop, 'viewer'),
  await signedIn(shop, 'cashier'),
]

let before = new Map<number, number>()
const counted = async () => void (before = await countStock(db))
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const store = (body: object, who = manager, key?: string) =>
  who.post('/admin/orders/store', body, key ? { headers: { 'idempotency-key': key } } : {})
describe('permissions', () => {
  it.each([
    ['sales', 200],
    ['viewer', 403],
    ['cashier', 403],
  ] as const)('%s: %i', async (role, status) => {
    const honey = await buildProduct(db, { unit: 'piece' })
    await counted()
    const who = { sales, viewer, cashier }[role]
    expect((await store(storeBody(area.id, [[honey.id, 1]]), who)).status).toBe(status)
  })
  it('rejects strangers, customers, and requests without a token', async () => {
    await counted()
    const customer = await signedIn(shop, 'customer')
    expect((await store(storeBody(area.id, [[1, 1]]), shop as never)).status).toBe(401)
    expect((await store(storeBody(area.id, [[1, 1]]), customer)).status).toBe(403)
    expect((await manager.post('/admin/orders/store', storeBody(area.id, [[1, 1]]), { token: null })).status).toBe(403)
  })
  it('the role sales sells at the list price; another price or a discount needs a manager', async () => {
    const honey = await buildProduct(db, { unit: 'piece', price_poisha: 50_000 })
    await counted()
    const answer = await store(storeBody(area.id, [[honey.id, 1, 400]], { discount: 10 }), sales)
    expect(answer).toMatchObject({
      status: 422,
      body: {
        errors: { 'products.0.price_on_order': [expect.stringContaining('manager')], discount: [expect.stringContaining('manager')] },
      },
    })
    expect((await store(storeBody(area.id, [[honey.id, 1, 500]]), sales)).status).toBe(200)
  })
  it('a form with the price of an hour ago is told the price of now', async () => {
    const honey = await buildProduct(db, { unit: 'piece', price_poisha: 50_000 })
    await sql`update products set price_poisha = 55000 where id = ${honey.id}`.execute(db)
    await counted()
    const error = 'The price is now ৳550. Only a manager can set another one.'
    const answer = await store(storeBody(area.id, [[honey.id, 2, 500]]), sales)
    expect(answer).toMatchObject({ status: 422, body: { errors: { 'products.0.price_on_order': [error] } } })
  })
})

it.each([
  ['2027-10-30', 200],
  ['2062-11-29', 'Check the year of this date.'],
  ['0026-11-29', 'Check the year of this date.'],
])('the delivery day %s: %s', async (list_on, expected) => {
  shop.clock.now = new Date('2026-11-20T06:00:00Z')
  const honey = await buildProduct(db, { unit: 'piece' })
  await counted()
  const { status, body } = await store(storeBody(area.id, [[honey.id, 1]], { list_on }))
  expect(status === 200 ? 200 : body.errors).toEqual(expected === 200 ? 200 : { list_on: [expected] })
})

describe('concurrently', () => {
  it('an order that is sent again after a lost answer, with other words, is named instead of created twice', async () => {
    const honey = await buildProduct(db, { unit: 'piece', stock_milli: 10_000 })
    await counted()
    const [lost, again, rejected, next] = [0, 1, 2, 3].map(() => crypto.randomUUID()) as [string, string, string, string]
    const send = (note: string, key: string, earlier: string, who = manager) =>
      who.post('/admin/orders/store', storeBody(area.id, [[honey.id, 1]], { note }), {
        headers: { 'idempotency-key': key, 'x-earlier-keys': earlier },
      })
    const first = await send('Gate 1', lost, '')
    const second = await send('Gate 2', again, `${rejected} ${lost}`)
    expect([first.status, second.status]).toEqual([200, 409])
    expect(second.body).toMatchObject({ reason: 'created', message: expect.stringContaining(String(first.body.order_id)) })
    expect((await send('Gate 1', lost, rejected)).body.order_id).toBe(first.body.order_id)
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 9 })
    // Keys of another clerk mean nothing, and without them it is another order.
    expect((await send('Gate 2', next, lost, sales)).status).toBe(200)
    expect((await send('Gate 2', next, '')).status).toBe(200)
  })
  it('an attempt that arrives after a later one with other words is told the order of that one', async () => {
    const honey = await buildProduct(db, { unit: 'piece', stock_milli: 10_000 })
    await counted()
    const [late, sent] = [crypto.randomUUID(), crypto.randomUUID()]
    const send = (note: string, headers: Record<string, string>, who = manager) =>
      who.post('/admin/orders/store', storeBody(area.id, [[honey.id, 1]], { note }), { headers })
    const created = await send('Gate 2', { 'idempotency-key': sent, 'x-earlier-keys': late })
    const answer = await send('Gate 1', { 'idempotency-key': late })
    expect(answer).toMatchObject({ status: 409, body: { reason: 'created', order_id: created.body.order_id } })
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 9 })
    expect((await send('Gate 1', { 'idempotency-key': late }, sales)).status).toBe(200)
  })
  it('of four attempts at once, each with the keys of those before it, one creates the order', async () => {
    const honey = await buildProduct(db, { unit: 'piece', stock_milli: 20_000 })
    await counted()
    for (let round = 1; round <= 6; round++) {
      const keys = Array.from({ length: 4 }, () => crypto.randomUUID())
      const sent = keys.map((key, at) =>
        manager.post('/admin/orders/store', storeBody(area.id, [[honey.id, 1]], { note: `Gate ${at}` }), {
          headers: { 'idempotency-key': key, 'x-earlier-keys': keys.slice(0, at).join(' ') },
        }),
      )
      expect((await Promise.all(sent)).map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
      expect(await stockOf(db, honey.id)).toMatchObject({ left: 20 - round })
    }
  })
  it('one idempotency key makes one order; another body under it is a conflict', async () => {
    const honey = await buildProduct(db, { unit: 'piece', stock_milli: 9000 })
    await counted()
    const body = storeBody(area.id, [[honey.id, 2]])
    const answers = await Promise.all(Array.from({ length: 8 }, () => store(body, manager, 'the-same-key')))
    expect(new Set(answers.map((answer) => answer.body.order_id)).size).toBe(1)
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    expect((await store({ ...body, note: 'more' }, manager, 'the-same-key')).status).toBe(409)
    expect(await stockOf(db, honey.id)).toEqual({ left: 7, status: 'in-stock' })
  })

  it('ten clerks, one cow', async () => {
    const cow = await buildAnimal(db)
    await counted()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        store(storeBody(area.id, [[cow.id, 1]], { phone: `0171000000${at}` }), at % 2 ? manager : sales),
      ),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    for (const answer of answers.filter((one) => one.status !== 200))
      expect(answer).toMatchObject({ status: 410, body: { errors: { 'products.0.product_id': [expect.any(String)] } } })
  })

  it('ten clerks, one new customer', async () => {
    const honey = await buildProduct(db)
    await counted()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => store(storeBody(area.id, [[honey.id, 1]], { phone: '01911111111' }))),
    )
    expect(answers.every((answer) => answer.status === 200)).toBe(true)
    expect((await sql`select 1 from users where phone = '01911111111'`.execute(db)).rows).toHaveLength(1)
  })
})
