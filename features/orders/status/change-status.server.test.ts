import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { changeOrderStatus, type StatusChange } from './change-status.server.ts'
import type { OrderStatus } from '../rules.ts'

// Status changes of an order, with stock, events and SMS [S2, S6].

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const clerk = await buildUser(db, { role: 'manager' })

let before = new Map<number, number>()
beforeEach(() => before.clear())
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const deps = { ...shop.deps, catalogChanged: () => shop.deps.catalogRevision.advance() }
function change(id: number, to: OrderStatus, more: Partial<StatusChange> = {}) {
  return changeOrderStatus(deps, id, { to, reason: 'Asked by phone', version: null, ...more }, { kind: 'staff', id: clerk.id, ip: '' })
}

async function ordered({ cows = 1, jars = 3 } = {}) {
  const honey = await buildProduct(db, { unit: 'piece', stock_milli: 3000 })
  const animals = await Promise.all(Array.from({ length: cows }, () => buildAnimal(db)))
  before = await countStock(db)
  const lines: [number, number][] = [
    ...animals.map((cow): [number, number] => [cow.id, 1]),
    ...(jars ? [[honey.id, jars] as [number, number]] : []),
  ]
  const payment = {
    payment_type: 'partial',
    payment_gateway: 'NONE',
    payable_amount: 10_000 * cows + 1500,
    partial_payment: 10_000 * cows + 1500,
  }
  const { body, text } = await shop.post('/customer-orders', orderBody(area.id, lines, payment))
  expect(body.order_id, text).toBeTypeOf('number')
  return { id: body.order_id!, cow: animals[0]!.id, honey: honey.id }
}

async function stateOf(order: { id: number; cow: number; honey: number }) {
  const { rows } = await sql<Record<string, unknown>>`
    select o.status, o.reason, o.version, o.expires_at is null as kept, c.status as cow, h.status as honey, h.stock_milli as left,
      (select count(*)::int from sms_outbox where order_id = o.id and template like 'order-cancelled%') as told
    from orders o, products c, products h where o.id = ${order.id} and c.id = ${order.cow} and h.id = ${order.honey}`.execute(db)
  return rows[0]
}

describe('a pre-booked product that was sold out', () => {
  const statusOf = async (id: number) =>
    (await sql<{ status: string }>`select status from products where id = ${id}`.execute(db)).rows[0]?.status
  async function soldOut(delivery_on: string | null) {
    const litchi = await buildProduct(db, { unit: 'piece', status: 'pre-book', stock_milli: 3000, delivery_on })
    const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
    const { body } = await shop.post('/customer-orders', orderBody(area.id, [[litchi.id, 3]], cash))
    expect(await statusOf(litchi.id)).toBe('out-of-stock')
    return { litchi: litchi.id, order: body.order_id! }
  }

  it.each([
    ['is pre-booked again when its order is cancelled', '2999-05-20', 'pre-book'],
    ['is so without a date', null, 'pre-book'],
    ['is in stock once its date has come', '2026-01-01', 'in-stock'],
  ])('%s', async (_what, deliveryOn, status) => {
    const { litchi, order } = await soldOut(deliveryOn)
    await change(order, 'cancelled')
    expect(await statusOf(litchi)).toBe(status)
    expect(await change(order, 'placed', { mayReopen: true })).toMatchObject({ ok: true })
    expect(await statusOf(litchi)).toBe('out-of-stock')
  })

  it('is in stock when the farm receives some', async () => {
    const { litchi, order } = await soldOut(null)
    await sql`select move_stock(${JSON.stringify([{ product_id: litchi, movement: 'count', count_milli: 2000, delta_milli: 2000, reason: 'received' }])}::jsonb)`.execute(
      db,
    )
    expect(await statusOf(litchi)).toBe('in-stock')
    await change(order, 'cancelled')
    expect(await statusOf(litchi)).toBe('in-stock')
  })
})

describe('a status change', () => {
  it('goes step by step; the animal is sold when the order is sent; events record actor and time', async () => {
    const order = await ordered()
    for (const to of ['processing', 'on_delivery', 'delivered', 'completed'] as const) {
      expect(await change(order.id, to)).toMatchObject({ ok: true, to })
      expect(await stateOf(order)).toMatchObject({
        status: to,
        cow: to === 'processing' ? 'hold' : 'sold',
        honey: 'out-of-stock',
        kept: true,
      })
    }
    const { rows } =
      await sql`select actor, actor_id, from_status, to_status, at from order_events where order_id = ${order.id} and kind = 'status' order by id`.execute(
        db,
      )
    expect(rows).toHaveLength(4)
    expect(rows[0]).toEqual({ actor: 'staff', actor_id: clerk.id, from_status: 'placed', to_status: 'processing', at: shop.clock.now })
  })

  it('stores the whole reason, whatever its characters are', async () => {
    const order = await ordered({ jars: 0 })
    const reason = '🐄'.repeat(255)
    expect(await change(order.id, 'cancelled', { reason })).toMatchObject({ ok: true })
    expect(await stateOf({ ...order, honey: order.cow })).toMatchObject({ status: 'cancelled', reason })
  })

  it.each([
    ['delivered', 'placed'],
    ['placed', 'delivered'],
    ['on_delivery', 'cancelled'],
    ['placed', 'placed'],
  ] as const)('does not go from %s to %s', async (from, to) => {
    const order = await ordered({ jars: 0 })
    await sql`update orders set status = ${from} where id = ${order.id}`.execute(db)
    expect(await change(order.id, to)).toEqual({ ok: false, reason: 'no-such-step', status: from })
  })

  it('a missing order is not found', async () => {
    expect(await change(999_999, 'processing')).toEqual({ ok: false, reason: 'not-found' })
    expect(await change(-1, 'processing')).toEqual({ ok: false, reason: 'not-found' })
  })
})

describe('cancelling', () => {
  it.each(['', '   ', '\u200b'])('needs a reason, not %j', async (reason) => {
    const order = await ordered()
    expect(await change(order.id, 'cancelled', { reason })).toEqual({ ok: false, reason: 'reason-required' })
    expect(await stateOf(order)).toMatchObject({ status: 'placed', cow: 'hold' })
  })

  it('ten concurrent cancellations release the stock once and send one SMS', async () => {
    const order = await ordered()
    const answers = await Promise.all(Array.from({ length: 10 }, () => change(order.id, 'cancelled', { version: 1 })))
    expect(answers.filter((answer) => answer.ok)).toHaveLength(1)
    for (const answer of answers) if (!answer.ok) expect(answer).toEqual({ ok: false, reason: 'changed', status: 'cancelled', version: 2 })
    expect(await stateOf(order)).toMatchObject({
      status: 'cancelled',
      reason: 'Asked by phone',
      cow: 'in-stock',
      honey: 'in-stock',
      left: 3000,
      told: 1,
    })
  })

  it('a concurrent cancellation and confirmation: one of them succeeds', async () => {
    const order = await ordered()
    const [cancelled, taken] = await Promise.all([
      change(order.id, 'cancelled', { version: 1 }),
      change(order.id, 'processing', { version: 1 }),
    ])
    expect([cancelled.ok, taken.ok].filter(Boolean)).toHaveLength(1)
    expect(await stateOf(order)).toMatchObject(
      cancelled.ok ? { status: 'cancelled', cow: 'in-stock' } : { status: 'processing', cow: 'hold' },
    )
  })

  it('a returned order puts products back into stock and its animal on hold', async () => {
    const order = await ordered()
    for (const to of ['processing', 'on_delivery', 'returned'] as const) expect((await change(order.id, to)).ok).toBe(true)
    expect(await stateOf(order)).toMatchObject({ status: 'returned', cow: 'hold', left: 3000, told: 0 })
  })
})

describe('reopening', () => {
  it('needs the permission', async () => {
    const order = await ordered()
    await change(order.id, 'cancelled')
    expect(await change(order.id, 'placed')).toEqual({ ok: false, reason: 'no-such-step', status: 'cancelled' })
  })

  it('reserves the stock again and sells paid animals; a second cancellation sends a second SMS', async () => {
    const order = await ordered()
    await change(order.id, 'cancelled')
    await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values (${order.id}, 'advance', 'bkash', 1000000, ${`T${order.id}`})`.execute(
      db,
    )
    expect((await change(order.id, 'placed', { mayReopen: true })).ok).toBe(true)
    expect(await stateOf(order)).toMatchObject({ status: 'placed', reason: null, cow: 'sold', honey: 'out-of-stock', left: 0 })
    await change(order.id, 'cancelled')
    expect(await stateOf(order)).toMatchObject({ status: 'cancelled', cow: 'in-stock', left: 3000, told: 2 })
  })

  it('is rejected with the missing products when other orders have reserved them', async () => {
    const order = await ordered()
    await change(order.id, 'cancelled')
    const { status } = await shop.post('/customer-orders', orderBody(area.id, [[order.cow, 1]]))
    expect(status).toBe(200)
    before = await countStock(db)
    const answer = await change(order.id, 'placed', { mayReopen: true })
    expect(answer).toEqual({ ok: false, reason: 'unavailable', missing: [{ product_id: order.cow, reason: 'not-available' }] })
    expect(await stateOf(order)).toMatchObject({ status: 'cancelled', left: 3000 })
  })

  it('with twenty concurrent buyers: one order has the animal', async () => {
    const order = await ordered()
    await change(order.id, 'cancelled')
    const [opened, ...bought] = await Promise.all([
      change(order.id, 'placed', { mayReopen: true }),
      ...Array.from({ length: 20 }, () => shop.post('/customer-orders', orderBody(area.id, [[order.cow, 1]]))),
    ])
    expect(bought.filter((answer) => answer.status === 200).length + (opened.ok ? 1 : 0)).toBe(1)
  })

  it('a completed order goes back to delivered, a returned one to processing', async () => {
    const order = await ordered()
    for (const to of ['processing', 'on_delivery', 'delivered', 'completed'] as const) await change(order.id, to)
    expect(await change(order.id, 'delivered', { mayReopen: true })).toMatchObject({ ok: true, from: 'completed' })
    await change(order.id, 'returned')
    expect(await change(order.id, 'processing', { mayReopen: true })).toMatchObject({ ok: true })
    expect(await stateOf(order)).toMatchObject({ status: 'processing', cow: 'hold', left: 0 })
  })
})
