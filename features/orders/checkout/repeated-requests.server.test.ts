import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct, buildUser, type OrderBody, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'

// What a request finds that repeats one whose answer was lost.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const honey = await buildProduct(db, { unit: 'piece', stock_milli: 1_000_000, price_poisha: 42_000 })

let body: OrderBody
let key: string
beforeEach(() => {
  body = orderBody(area.id, [[honey.id, 3]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', payable_amount: 0 })
  key = `attempt-${crypto.randomUUID()}`
})
const send = (by: Visitor, change: Partial<OrderBody> = {}) =>
  by.post('/customer-orders', { ...body, ...change }, { headers: { 'idempotency-key': key } })

async function newBrowser(): Promise<Visitor> {
  const visitor = shop.visitor()
  await visitor.get('/cart', { accept: 'text/html' })
  return visitor
}

it('names an order that was cancelled meanwhile as ended', async () => {
  const guest = await newBrowser()
  const first = await send(guest)
  expect((await send(guest)).body).toEqual({ order_id: first.body.order_id })
  await sql`update orders set status = 'cancelled', reason = 'Changed my mind' where id = ${first.body.order_id}`.execute(db)
  const repeated = await send(guest)
  expect([repeated.status, repeated.body]).toEqual([200, { order_id: first.body.order_id, has_ended: true }])
})

it('finds the order that the browser placed before its user logged in, and refuses another request under its key', async () => {
  const guest = await newBrowser()
  const first = await send(guest)
  const user = await buildUser(db)
  await guest.signIn(user.phone)
  expect((await send(guest)).body).toEqual({ order_id: first.body.order_id })
  expect((await send(guest, { products: [{ product_id: honey.id, quantity: 4, coupon: null }] })).status).toBe(409)
})

it('is a new order for an account in another browser, whatever the key', async () => {
  const first = await send(await newBrowser())
  const other = await newBrowser()
  await other.signIn((await buildUser(db)).phone)
  const second = await send(other)
  expect(second.status).toBe(200)
  expect(second.body.order_id).not.toBe(first.body.order_id)
})
