import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// Queued sales: recorded once, at their time, and never lost.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const [cashier, other] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier')]
const openShift = async (who = cashier) =>
  ((await who.post('/admin/quick-orders/shift/open', { opening_cash: 0 })).body as { shift_id?: number }).shift_id!
let shiftId = await openShift()
await openShift(other)

const HOUR = 3_600_000
const opened = new Date(shop.clock.now.getTime() - 4 * HOUR)
await sql`update pos_shifts set opened_at = ${opened}`.execute(db)

let before = new Map<number, number>()
let honey: { id: number }
beforeEach(async () => {
  honey = await buildProduct(db, { unit: 'kg', stock_milli: 3000, price_poisha: 10_000 })
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

type Sent = Record<string, unknown>
let lastKey = 0
const sale = (more: Sent = {}, quantity = 2, id = honey.id, price = 100): Sent => ({
  products: [{ id, quantity: String(quantity), price }],
  transactions: { cash: quantity * price, bkash: 0, bank: 0 },
  total: quantity * price,
  customer: { phone: '01712345678' },
  sold_at: new Date(shop.clock.now.getTime() - 2 * HOUR).toISOString(),
  cashier_id: cashier.id,
  shift_id: shiftId,
  ...more,
})
const send = (
  body: unknown,
  {
    key = `waiting-${++lastKey}`,
    sentAt = shop.clock.now,
    who = cashier,
  }: { key?: string; sentAt?: Date | string; who?: typeof cashier } = {},
) =>
  who.post('/admin/quick-orders/store', body, {
    headers: { 'idempotency-key': key, 'x-sent-at': typeof sentAt === 'string' ? sentAt : sentAt.toISOString() },
  })
const orderOf = async (id: number | undefined) =>
  (
    await sql<{ placed_at: Date; detail: Sent; at: Date; paid_at: Date }>`select o.placed_at, e.detail, e.at, l.at as paid_at from orders o
      join order_events e on e.order_id = o.id and e.kind = 'placed' join ledger_entries l on l.order_id = o.id where o.id = ${id}`.execute(
      db,
    )
  ).rows[0]
const count = async () => Number((await sql<{ n: number }>`select count(*) as n from orders`.execute(db)).rows[0]!.n)

describe('the time of a sale', () => {
  it.each<[string, number, number]>([
    ['right', 0, 2],
    ['an hour fast', HOUR, 2],
    ['an hour slow', -HOUR, 2],
  ])('is that of the sale when the clock of the device is %s', async (_name, off, hours) => {
    const soldAt = new Date(shop.clock.now.getTime() - hours * HOUR)
    const answer = await send(sale({ sold_at: new Date(soldAt.getTime() + off).toISOString() }), {
      sentAt: new Date(shop.clock.now.getTime() + off),
    })
    expect(answer.status).toBe(200)
    const order = await orderOf(answer.body.order_id)
    expect([order?.placed_at, order?.paid_at]).toEqual([soldAt, soldAt])
    // History is ordered by the time of recording.
    expect([order?.at, order?.detail.sold_at]).toEqual([shop.clock.now, soldAt.toISOString()])
  })

  it('is never before the shift or in the future, and now when it is missing', async () => {
    const early = await send(sale({ sold_at: new Date(opened.getTime() - 50 * HOUR).toISOString() }, 0.5))
    expect((await orderOf(early.body.order_id))?.placed_at).toEqual(opened)
    const late = await send(sale({ sold_at: new Date(shop.clock.now.getTime() + HOUR).toISOString() }, 0.5))
    expect((await orderOf(late.body.order_id))?.placed_at).toEqual(shop.clock.now)
    const unsaid = await send(sale({}, 0.5), { sentAt: 'yesterday' })
    expect((await orderOf(unsaid.body.order_id))?.placed_at).toEqual(shop.clock.now)
  })

  it.each(['yesterday', 5, '2026-13-41T00:00:00Z'])('rejects the time %j', async (sold_at) => {
    expect((await send(sale({ sold_at }))).status).toBe(422)
  })
})

describe('a queued sale', () => {
  it('is recorded once, however often and concurrently it is sent', async () => {
    const there = await count()
    const body = sale()
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(body, { key: 'the-same-sale' })))
    answers.push(await send(body, { key: 'the-same-sale', sentAt: new Date(shop.clock.now.getTime() + HOUR) }))
    expect(new Set(answers.map(({ status, body: { order_id } }) => `${status} ${order_id}`)).size).toBe(1)
    expect((await count()) - there).toBe(1)
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 1 })
  })

  it('is not recorded for another cashier or in another shift', async () => {
    expect(await send(sale(), { who: other })).toMatchObject({ status: 409, body: { reason: 'other-cashier' } })
    expect(await send(sale({ shift_id: shiftId + 999 }))).toMatchObject({ status: 409, body: { reason: 'shift-closed' } })
    expect(await send(sale({ cashier_id: 'me' }))).toMatchObject({ status: 422 })
  })

  it('needs a decision when its shift is closed, and can move to the current shift', async () => {
    const body = sale({}, 1)
    const zero = { counted_cash: 0, counted_bkash: 0, counted_bank: 0, note: 'counted with what waits' }
    expect((await cashier.post('/admin/quick-orders/shift/close', zero)).status).toBe(200)
    expect(await send(body)).toMatchObject({ status: 409, body: { reason: 'no-shift' } })
    shiftId = await openShift()
    expect(await send(body, { key: 'closed-before' })).toMatchObject({ status: 409, body: { reason: 'shift-closed' } })
    const answer = await send({ ...body, shift_id: null }, { key: 'closed-before' })
    expect(answer.status).toBe(200)
    expect((await orderOf(answer.body.order_id))?.placed_at).toEqual(shop.clock.now)
  })

  it('returns the current price when it has changed', async () => {
    await sql`update products set price_poisha = 11000 where id = ${honey.id}`.execute(db)
    expect(await send(sale())).toMatchObject({
      status: 422,
      body: { reason: 'changed', total: 220, products: [{ id: honey.id, price: 110 }] },
    })
  })
})

describe('missing stock', () => {
  it('is reported, and added when the cashier confirms that the products were handed over', async () => {
    expect(await send(sale({}, 5), { key: 'oversold' })).toMatchObject({
      status: 410,
      body: { reason: 'missing', product_ids: [honey.id] },
    })
    const answer = await send(sale({ handed_over: true }, 5), { key: 'oversold' })
    expect(answer.status).toBe(200)
    expect(await stockOf(db, honey.id)).toEqual({ left: 0, status: 'out-of-stock' })
    const { rows } = await sql<{ before: object; after: object }>`select before, after from audit_log where subject = 'product'
      and subject_id = ${String(honey.id)}`.execute(db)
    expect(rows).toEqual([{ before: { stock: 3 }, after: { stock: 5, why: 'sold without network' } }])
  })

  it('is added also when the last unit was sold', async () => {
    await sql`insert into stock_movements (product_id, delta_milli, reason) values (${honey.id}, -3000, 'counted')`.execute(db)
    await sql`update products set stock_milli = 0, status = 'out-of-stock' where id = ${honey.id}`.execute(db)
    expect((await send(sale({ handed_over: true }))).status).toBe(200)
    expect(await stockOf(db, honey.id)).toEqual({ left: 0, status: 'out-of-stock' })
  })

  it('is recorded of a product that was archived since, and stays archived', async () => {
    await db
      .updateTable('products')
      .set({ visible: false, archived_at: shop.clock.now, name_en: 'Hog plum' })
      .where('id', '=', honey.id)
      .execute()
    expect(await send(sale(), { key: 'archived-since' })).toMatchObject({
      status: 410,
      body: { reason: 'missing', product_ids: [honey.id], errors: { 'products.0.id': ['Hog plum is not available right now.'] } },
    })
    expect((await send(sale({ handed_over: true, total: 1 }), { key: 'archived-since' })).status).toBe(422)
    const answer = await send(sale({ handed_over: true }), { key: 'archived-since' })
    expect(answer.status, answer.text).toBe(200)
    expect(await stockOf(db, honey.id)).toEqual({ left: 1, status: 'in-stock' })
    const product = db.selectFrom('products').select(['visible', 'archived_at']).where('id', '=', honey.id)
    expect(await product.executeTakeFirst()).toEqual({ visible: false, archived_at: shop.clock.now })
  })

  it('is not recorded of a hidden product whose price is still to be entered', async () => {
    await db.updateTable('products').set({ visible: false, price_poisha: 100 }).where('id', '=', honey.id).execute()
    expect(await send(sale({ handed_over: true }, 2, honey.id, 1))).toMatchObject({ status: 410, body: { reason: 'missing' } })
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 3 })
  })

  it('is recorded of a product without a count that was set out of stock since', async () => {
    const milk = await buildProduct(db, { unit: 'kg', stock_milli: null, price_poisha: 10_000, status: 'out-of-stock' })
    before = await countStock(db)
    expect(await send(sale({}, 1, milk.id), { key: 'no-milk-left' })).toMatchObject({ status: 410, body: { reason: 'missing' } })
    expect((await send(sale({ handed_over: true }, 1, milk.id), { key: 'no-milk-left' })).status).toBe(200)
    expect(await stockOf(db, milk.id)).toEqual({ left: null, status: 'out-of-stock' })
  })

  it('is not added for a delivery: its products have not left the shop', async () => {
    const { id } = await buildArea(db, { produce: 100 })
    const delivery = { delivery: { area_id: id, address: 'House 5' } }
    const body = { ...sale({ handed_over: true, ...delivery }, 5), total: 600, transactions: { cash: 600 } }
    expect((await send(body)).body).toMatchObject({ reason: 'missing' })
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 3 })
  })

  it('is not added when the sale is rejected for another reason', async () => {
    expect((await send(sale({ handed_over: true, total: 1 }, 5))).status).toBe(422)
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 3 })
  })

  it('of packs or units that were changed since is taken in the quantity that was handed over', async () => {
    await db
      .updateTable('products')
      .set({ sizes_milli: [1000] })
      .where('id', '=', honey.id)
      .execute()
    const small = sale({ total: 12.5, transactions: { cash: 12.5 } }, 0.125)
    expect(await send(small, { key: 'other-packs' })).toMatchObject({ status: 422, body: { reason: 'quantity' } })
    expect((await send({ ...small, handed_over: true, total: 1 }, { key: 'other-packs' })).status).toBe(422)
    const answer = await send({ ...small, handed_over: true }, { key: 'other-packs' })
    expect(answer.status, answer.text).toBe(200)
    await db.updateTable('products').set({ sizes_milli: [], unit: 'piece' }).where('id', '=', honey.id).execute()
    const half = sale({}, 0.5)
    expect(await send(half, { key: 'now-pieces' })).toMatchObject({ status: 422, body: { reason: 'quantity' } })
    expect((await send({ ...half, handed_over: true }, { key: 'now-pieces' })).status).toBe(200)
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 2.375 })
    // A sale of now, and an animal, keep the rule of the product.
    expect((await send({ ...half, handed_over: true, sold_at: null })).body).toMatchObject({ reason: 'quantity' })
    const cow = await buildAnimal(db, { price_poisha: 10_000, sold_by_live_weight: false })
    expect((await send(sale({ handed_over: true }, 2, cow.id))).body).toMatchObject({ reason: 'quantity' })
    before = new Map([...before, [cow.id, 1000]])
  })

  it('is added only for a queued sale, and never for an animal', async () => {
    expect((await send(sale({ handed_over: true, sold_at: null }, 5))).status).toBe(410)
    const cow = await buildAnimal(db, { price_poisha: 10_000, status: 'hold', stock_milli: 0, sold_by_live_weight: false })
    expect((await send(sale({ handed_over: true }, 1, cow.id))).status).toBe(410)
    before = await countStock(db)
  })
})

describe('discarding', () => {
  const drop = (more: Sent = {}, who = cashier) =>
    who.post('/admin/quick-orders/unsent/drop', {
      key: 'given-up-1',
      reason: 'The customer brought it back',
      sold_at: '2026-11-20T07:00:00.000Z',
      total: 200,
      phone: '01712345678',
      products: [{ id: honey.id, quantity: '2' }],
      ...more,
    })

  it('is recorded with its reason', async () => {
    expect((await drop()).status).toBe(200)
    const { rows } = await sql<{
      actor_id: number
      action: string
      before: Sent
      after: Sent
    }>`select actor_id, action, before, after from audit_log
      where subject = 'unsent-sale' and subject_id = 'given-up-1'`.execute(db)
    expect(rows).toMatchObject([
      {
        actor_id: cashier.id,
        action: 'deleted',
        before: { total: 200, phone: '01712345678' },
        after: { reason: 'The customer brought it back' },
      },
    ])
  })

  it('is rejected for a sale that was recorded', async () => {
    const sold = await send(sale({}, 1), { key: 'did-reach-it' })
    expect(await drop({ key: 'did-reach-it' })).toMatchObject({ status: 409, body: { order_id: sold.body.order_id } })
    // A cashier who has taken it over learns it as well.
    expect(await drop({ key: 'did-reach-it' }, other)).toMatchObject({ status: 409, body: { order_id: sold.body.order_id } })
  })

  it('of what the device has under the key of an order is recorded once the cashier names the order', async () => {
    const { body } = await send(sale({}, 1), { key: 'sold-with-others' })
    const given = (order: number, who = cashier) => drop({ key: 'sold-with-others', recorded_order: order }, who)
    expect(await given(body.order_id! + 1)).toMatchObject({ status: 409, body: { order_id: body.order_id } })
    // The manager who has taken the sale over.
    expect((await given(body.order_id!, other)).status).toBe(200)
    const { rows } = await sql<{ after: Sent }>`select after from audit_log where subject = 'unsent-sale'
      and subject_id = 'sold-with-others'`.execute(db)
    expect(rows).toEqual([{ after: { reason: 'The customer brought it back', order: body.order_id } }])
    expect(await orderOf(body.order_id)).toBeDefined()
  })

  it.each<[string, Sent]>([
    ['no reason', { reason: ' ' }],
    ['no key', { key: '' }],
    ['no moment', { sold_at: 'then' }],
    ['a huge list', { products: Array.from({ length: 201 }, () => ({ id: 1, quantity: '1' })) }],
    ['something else besides', { also: 1 }],
  ])('wants %s mended', async (_name, more) => {
    expect((await drop(more)).status).toBe(422)
  })

  it('needs the permission to sell', async () => {
    expect((await drop({}, (await signedIn(shop, 'viewer')) as typeof cashier)).status).toBe(403)
  })
})
