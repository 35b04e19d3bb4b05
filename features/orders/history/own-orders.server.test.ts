import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Gateway } from '#features/payments/gateway.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import type { AgainJson } from './reorder-rules.ts'
import { changeOrderStatus } from '../status/change-status.server.ts'
import { cancelOwnOrder } from '../status/cancel-own-order.server.ts'
import type { OwnOrder } from './own-orders.server.ts'

// A customer's own orders: list, cancel, order again.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const person = await buildUser(db, { phone_verified_at: new Date() })
const other = await buildUser(db, { phone_verified_at: new Date() })
const me = shop.visitor()
await me.signIn(person.phone)
const stranger = shop.visitor()
const neighbour = shop.visitor()
await neighbour.signIn(other.phone)

let before = new Map<number, number>()
beforeEach(() => before.clear())
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

/** An order of a cow and three jars, with an advance by hand. */
async function ordered(visitor: Visitor = me) {
  const honey = await buildProduct(db, { name_en: 'Honey', unit: 'piece', stock_milli: 5000 })
  const cow = await buildAnimal(db)
  before = await countStock(db)
  const lines: [number, number][] = [
    [cow.id, 1],
    [honey.id, 3],
  ]
  const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 11_500, partial_payment: 11_500 }
  const { body, text } = await visitor.post('/customer-orders', orderBody(area.id, lines, advance))
  expect(body.order_id, text).toBeTypeOf('number')
  return { id: body.order_id!, cow: cow.id, honey: honey.id }
}

async function stateOf({ id, cow, honey }: { id: number; cow: number; honey: number }) {
  const { rows } = await sql<Record<string, unknown>>`
    select o.status, o.reason, c.status as cow, h.stock_milli as left,
      (select count(*)::int from sms_outbox where order_id = o.id and template like 'order-cancelled%') as told,
      (select string_agg(actor || actor_id, ' ') from order_events where order_id = o.id and to_status = 'cancelled') as who
    from orders o, products c, products h where o.id = ${id} and c.id = ${cow} and h.id = ${honey}`.execute(db)
  return rows[0]
}

const why = { reason: 'I changed my mind' }
const untouched = { status: 'placed', reason: null, cow: 'hold', left: 2000, told: 0, who: null }

it('is not cancelled while a payment page is open that was opened during the query of the gateway', async () => {
  const order = await ordered()
  const open = () =>
    sql`insert into payment_attempts (order_id, gateway, tran_id, gateway_ref, amount_poisha, state)
    values (${order.id}, 'sslcommerz', ${randomUUID().slice(0, 30)}, ${randomUUID()}, 1150000, 'pending')`.execute(db)
  await open()
  let queries = 0
  async function query() {
    queries += 1
    // The shopper presses "Pay now" in another tab.
    if (queries === 1) await open()
    return { state: 'pending', inFlight: false } as const
  }
  const gateways = { sslcommerz: { query } as unknown as Gateway, default: null }
  const cancel = () =>
    cancelOwnOrder(
      { ...shop.deps, gateways, catalogChanged() {} },
      { user: { id: person.id, isPhoneVerified: true }, browser: null },
      order.id,
      {
        ...why,
        lang: 'en',
      },
    )
  expect(await cancel()).toEqual({ ok: false, reason: 'payment-under-way' })
  expect(await stateOf(order)).toMatchObject(untouched)
  expect(await cancel()).toEqual({ ok: true })
})

it('offers to order again only when a product is for sale', async () => {
  const cow = await buildAnimal(db)
  const honey = await buildProduct(db, { unit: 'piece', stock_milli: 5000 })
  before = await countStock(db)
  const placeOne = async (id: number, payment: Record<string, unknown>) => {
    const { body, text } = await me.post('/customer-orders', orderBody(area.id, [[id, 1]], payment))
    expect(body.order_id, text).toBeTypeOf('number')
    return body.order_id!
  }
  const advance = { payment_type: 'partial', payment_gateway: 'NONE', payable_amount: 10_000, partial_payment: 10_000 }
  const ofCow = await placeOne(cow.id, advance)
  const ofHoney = await placeOne(honey.id, { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
  const { orders } = pageProps<{ orders: OwnOrder[] }>((await me.get('/account', { accept: 'text/html' })).text)
  const isOffered = (id: number) => orders.find((order) => order.id === id)?.can_order_again
  expect([isOffered(ofCow), isOffered(ofHoney)]).toEqual([false, true])
})

describe('cancelling', () => {
  it('releases the stock, records reason and actor, sends an SMS, and returns the updated order', async () => {
    const order = await ordered()
    const answer = await me.post(`/orders/${order.id}/cancel`, why)
    expect([answer.status, answer.body.message]).toEqual([200, 'Your order is cancelled.'])
    expect((answer.body as unknown as { order: OwnOrder }).order).toMatchObject({ id: order.id, status: 'cancelled', reason: why.reason })
    expect(await stateOf(order)).toEqual({
      status: 'cancelled',
      reason: why.reason,
      cow: 'in-stock',
      left: 5000,
      told: 1,
      who: `customer${person.id}`,
    })
  })

  it('concurrently: cancels once', async () => {
    const order = await ordered()
    const answers = await Promise.all(Array.from({ length: 8 }, () => me.post(`/orders/${order.id}/cancel`, why)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
    expect(await stateOf(order)).toMatchObject({ status: 'cancelled', cow: 'in-stock', left: 5000, told: 1 })
  })

  it('is rejected for other customers, strangers, and other sites', async () => {
    const order = await ordered()
    for (const [visitor, status] of [
      [neighbour, 404],
      [stranger, 401],
    ] as const)
      expect((await visitor.post(`/orders/${order.id}/cancel`, why)).status).toBe(status)
    expect((await me.post(`/orders/${order.id}/cancel`, why, { token: null })).status).toBe(403)
    expect(await stateOf(order)).toEqual(untouched)
  })

  it.each(['0', '999999999', '-1', 'abc', '1e3', '99999999999999999999', "1'--"])('order %s is not found', async (id) => {
    expect((await me.post(`/orders/${encodeURIComponent(id)}/cancel`, why)).status).toBe(404)
    expect((await me.get(`/orders/${encodeURIComponent(id)}/again`)).status).toBe(404)
  })

  it('has one address: its number with a zero before it is not found', async () => {
    const order = await ordered()
    expect((await me.post(`/orders/0${order.id}/cancel`, why)).status).toBe(404)
    expect((await me.get(`/orders/0${order.id}/again`)).status).toBe(404)
    expect(await stateOf(order)).toEqual(untouched)
  })

  it.each([
    ['nothing', {}],
    ['blanks', { reason: ' \u200b ' }],
    ['too long', { reason: 'x'.repeat(256) }],
    ['a list', { reason: ['x'] }],
    ['NUL', { reason: 'a\u0000b' }],
  ])('needs a reason: %s', async (_name, body) => {
    const order = await ordered()
    expect((await me.post(`/orders/${order.id}/cancel`, body)).status).toBe(422)
    expect(await stateOf(order)).toEqual(untouched)
  })

  it('again, as after a lost answer, names the closed order', async () => {
    const order = await ordered()
    await me.post(`/orders/${order.id}/cancel`, why)
    const again = await me.post(`/orders/${order.id}/cancel`, why)
    expect([again.status, again.body]).toEqual([
      409,
      expect.objectContaining({
        message: 'This order is already closed.',
        order: expect.objectContaining({ id: order.id, status: 'cancelled' }),
      }),
    ])
  })

  it('is rejected for an order that is prepared, paid, or has a reported advance', async () => {
    const [prepared, paid, reported] = [await ordered(), await ordered(), await ordered()]
    const deps = { ...shop.deps, catalogChanged: () => {} }
    const clerk = { kind: 'staff', id: (await buildUser(db, { role: 'sales' })).id, ip: '' } as const
    await changeOrderStatus(deps, prepared.id, { to: 'processing', reason: '', version: null }, clerk)
    await sql`insert into ledger_entries (order_id, kind, method, amount_poisha) values (${paid.id}, 'advance', 'bank', 100)`.execute(db)
    const advance = { method: 'bkash', transaction_id: 'OWN1234567', sender: '01711111111', amount: 11_500 }
    expect((await me.post(`/orders/${reported.id}/advance`, advance)).status).toBe(200)
    for (const [{ id }, text] of [
      [prepared, /being prepared/],
      [paid, /has a payment/],
      [reported, /checking your advance/],
    ] as const) {
      const answer = await me.post(`/orders/${id}/cancel`, why)
      expect([answer.status, answer.body.message]).toEqual([409, expect.stringMatching(text)])
    }
    expect(await stateOf(prepared)).toMatchObject({ status: 'processing', cow: 'hold', told: 0 })
    expect(await stateOf(reported)).toEqual(untouched)
  })
})

describe('ordering again', () => {
  it('returns available products with the quantity left, and the names of the others', async () => {
    const order = await ordered()
    const again = async (visitor = me) => (await visitor.get(`/orders/${order.id}/again`)) as { status: number; body: unknown }
    const first = (await again()).body as AgainJson
    expect(first.lines.map(({ product, quantity, less }) => [product.id, quantity, less])).toEqual([[order.honey, 2, true]])
    expect(first.missing).toHaveLength(1)
    await me.post(`/orders/${order.id}/cancel`, why)
    const second = (await again()).body as AgainJson
    expect(second.lines.map(({ product, quantity, less }) => [product.id, quantity, less])).toEqual([
      [order.cow, 1, false],
      [order.honey, 3, false],
    ])
    expect([(await again(neighbour)).status, (await again(stranger)).status]).toEqual([404, 401])
  })
})

describe('the page', () => {
  type Props = { orders: OwnOrder[]; page: number; lastPage: number; total: number; isPhoneVerified: boolean }
  const page = async (visitor: Visitor, path = '/account') => pageProps<Props>((await visitor.get(path)).text)

  it('redirects a stranger to the login and back', async () => {
    const answer = await stranger.get('/account?page=2')
    expect([answer.status, answer.headers.location]).toEqual([303, '/login?next=%2Faccount%3Fpage%3D2'])
  })

  it('lists own orders, twenty a page, newest first, with later weigh-ins of their animals', async () => {
    const buyer = await buildUser(db, { phone_verified_at: new Date() })
    const visitor = shop.visitor()
    await visitor.signIn(buyer.phone)
    expect(await page(visitor)).toMatchObject({ orders: [], page: 1, lastPage: 1, total: 0, isPhoneVerified: true })
    const first = await ordered(visitor)
    await sql`insert into weigh_ins (product_id, weighed_on, grams) values (${first.cow}, '2026-11-25', 21200),
      (${first.cow}, '2026-11-25', 212500), (${first.cow}, '2026-11-01', 190000)`.execute(db)
    for (let more = 0; more < 21; more++) await ordered(visitor)
    const { orders, total, lastPage } = await page(visitor)
    expect([orders.length, total, lastPage, orders[0]!.id > orders[19]!.id]).toEqual([20, 22, 2, true])
    const last = await page(visitor, '/account?page=999')
    expect([last.page, last.orders.map(({ id }) => id).at(-1)]).toEqual([2, first.id])
    expect(last.orders.at(-1)?.weigh_ins).toEqual([{ product_id: first.cow, weighed_on: '2026-11-25', kg: 212.5, method: 'scale' }])
    await sql`update orders set status = 'cancelled', reason = 'x' where id = ${first.id}`.execute(db)
    expect((await page(visitor, '/account?page=2')).orders.at(-1)?.weigh_ins).toEqual([])
    await sql`update orders set status = 'placed', reason = null where id = ${first.id}`.execute(db)
    expect((await page(visitor, '/account?page=abc')).page).toBe(1)
    expect((await page(me)).orders.some(({ id }) => id === first.id)).toBe(false)
    expect((await visitor.get(`/invoice/${first.id}`)).status).toBe(200)
    expect((await neighbour.get(`/invoice/${first.id}`)).status).toBe(404)
  })

  it('hides orders of an unverified phone, except those of this browser', async () => {
    const phone = '01999000111'
    const product = await buildProduct(db, {})
    const body = orderBody(area.id, [[product.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
    const guest = shop.visitor()
    const placed = await guest.post('/customer-orders', { ...body, customer: { ...body.customer, phone } })
    expect(placed.status, placed.text).toBe(200)
    const claimed = await buildUser(db, { phone: '01999000112' })
    await sql`update orders set customer_id = ${claimed.id} where id = ${placed.body.order_id!}`.execute(db)
    const elsewhere = shop.visitor()
    await elsewhere.signIn('01999000112')
    expect(await page(elsewhere)).toMatchObject({ orders: [], isPhoneVerified: false })
    expect((await elsewhere.post(`/orders/${placed.body.order_id}/cancel`, why)).status).toBe(404)
    await guest.signIn('01999000112')
    expect((await page(guest)).orders.map(({ id }) => id)).toEqual([placed.body.order_id])
    await sql`update users set phone_verified_at = now() where id = ${claimed.id}`.execute(db)
    expect((await page(elsewhere)).orders).toHaveLength(1)
  })

  it.each(['/account', '/account?page=2', '/account/profile', '/account/addresses'])('%s: at most three round trips', async (path) => {
    await me.get(path)
    // Outside a transaction each statement takes a connection.
    let trips = 0
    const count = () => (trips += 1)
    shop.deps.pool.on('acquire', count)
    const answer = await me.get(path)
    shop.deps.pool.off('acquire', count)
    expect(answer.status).toBe(200)
    expect(trips).toBeGreaterThan(0)
    expect(trips).toBeLessThanOrEqual(3)
  })
})
