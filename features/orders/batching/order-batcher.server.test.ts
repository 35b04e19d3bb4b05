import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isWaitTimeout, openDb } from '#lib/db/db.server.ts'
import { randomToken, sha256Hex } from '#lib/ids/ids.server.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCoupon, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { insertOrder, type NewOrderRow } from './insert-orders.server.ts'
import { OrderBatcher } from './order-batcher.server.ts'

// Orders of a batch share a transaction, and fail or succeed one by one.

const { db, url } = await testDb({ max: 16 })
const shop = await openShop({ databaseUrl: url, max: 16 })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
let before = new Map<number, number>()
beforeEach(async () => {
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const buy = (id: number) => shop.post('/customer-orders', orderBody(area.id, [[id, 1]], cash))
const countAll = async () => {
  before = await countStock(db)
}

/** Locks the row of a product in another transaction for a while. */
async function lockRow(id: number): Promise<() => Promise<void>> {
  const other = openDb(url, { max: 1 })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve } = Promise.withResolvers<void>()
  const done = other.db.transaction().execute(async (tx) => {
    await sql`select 1 from products where id = ${id} for update`.execute(tx)
    resolve()
    await released
  })
  await locked
  return async () => {
    release()
    await done
    await other.close()
  }
}

it.each([2, 30])('%i buyers who wait for a locked row do not delay other orders', async (waiting) => {
  const [locked, free] = [
    await buildProduct(db, { stock_milli: 50_000, unit: 'piece' }),
    await buildProduct(db, { stock_milli: 500_000, unit: 'piece' }),
  ]
  await countAll()
  await buy(free.id)
  const unlock = await lockRow(locked.id)
  let answered = 0
  const blocked = Promise.all(
    Array.from({ length: waiting }, () =>
      buy(locked.id).then((answer) => {
        answered += 1
        return answer
      }),
    ),
  )
  // Lock waits end after three seconds. An earlier response did not wait for this lock.
  for (let round = 0; round < 2; round++) {
    const others = await Promise.all(Array.from({ length: 10 }, () => buy(free.id)))
    expect(others.map(({ status }) => status)).toEqual(Array(10).fill(200))
  }
  expect(answered).toBe(0)
  await unlock()
  expect((await blocked).map(({ status }) => status)).toEqual(Array(waiting).fill(200))
})

it('thirty orders with a coupon that wait for a locked row do not delay others, and all are written', async () => {
  const [locked, free] = [
    await buildProduct(db, { stock_milli: 50_000, unit: 'piece' }),
    await buildProduct(db, { stock_milli: 500_000, unit: 'piece' }),
  ]
  await countAll()
  const { id: customer_id } = await buildUser(db)
  const coupon = { id: (await buildCoupon(db)).id, version: 1, discount_poisha: 0, delivery_saved_poisha: 0 }
  const unlock = await lockRow(locked.id)
  let written = 0
  const blocked = Array.from({ length: 30 }, () =>
    insertOrder(db, wantedOrder(locked, { customer_id, coupon })).then((answer) => {
      written += 1
      return answer
    }),
  )
  const others = await Promise.all(Array.from({ length: 20 }, () => insertOrder(db, wantedOrder(free))))
  expect(others).toEqual(Array(20).fill(taken()))
  expect(written).toBe(0)
  await unlock()
  expect(await Promise.all(blocked)).toEqual(Array(30).fill(taken()))
})

it('when the lock wait times out, all orders that wait for the row fail', async () => {
  const jar = await buildProduct(db, { stock_milli: 50_000, unit: 'piece' })
  await countAll()
  const { id: customer_id } = await buildUser(db)
  const coupon = { id: (await buildCoupon(db)).id, version: 1, discount_poisha: 0, delivery_saved_poisha: 0 }
  const unlock = await lockRow(jar.id)
  const waiting = await Promise.allSettled(Array.from({ length: 20 }, () => insertOrder(db, wantedOrder(jar, { customer_id, coupon }))))
  expect(waiting.map((one) => one.status === 'rejected' && isWaitTimeout(one.reason))).toEqual(Array(20).fill(true))
  await unlock()
})

const wantedLine = (product: { id: number }) => ({
  position: 1,
  product_id: product.id,
  version: 1,
  name_en: 'Jar',
  name_bn: 'বয়াম',
  unit: 'piece',
  quantity_milli: 1000,
  base_price_poisha: 10_000,
  price_poisha: 10_000,
  line_total_poisha: 10_000,
  advance_poisha: 0,
})

const wantedOrder = (product: { id: number }, more: Partial<Record<string, unknown>> = {}): NewOrderRow => ({
  idempotency_key: `guest:${randomToken(12)}`,
  request_hash: sha256Hex('the request'),
  source: 'web',
  customer_id: null,
  name: 'Rahim Uddin',
  phone: '01711223344',
  address: 'House 1',
  area_id: area.id,
  lang: 'en',
  subtotal_poisha: 10_000,
  shipping_poisha: 0,
  discount_poisha: 0,
  total_poisha: 10_000,
  payment_type: 'cash_on_delivery',
  payment_gateway: 'NONE',
  payable_poisha: 0,
  is_free_order: false,
  list_on: '2026-07-01',
  placed_at: '2026-06-30T06:00:00Z',
  expires_at: null,
  access_token_hash: sha256Hex('browser'),
  view_key: 'key',
  tracking_code: randomToken(12),
  tran_id: null,
  sms_body: 'Order {order}',
  coupon: null,
  lines: [wantedLine(product)],
  ...more,
})

/** Inserts the orders in one call, in this order. */
async function together(orders: NewOrderRow[]): Promise<unknown[]> {
  const wanted = JSON.stringify(orders.map((order, index) => ({ ...order, batch_index: index + 1 })))
  const { rows } = await sql<{ answers: unknown[] }>`select insert_orders(${wanted}::jsonb, false) as answers`.execute(db)
  return rows[0]?.answers ?? []
}
const taken = (catalog_changed = false) => ({ order_id: expect.any(Number), replayed: false, catalog_changed })

it('in one call earlier orders win, and a rejection affects one order', async () => {
  const jar = await buildProduct(db, { stock_milli: 2000, unit: 'piece' })
  const cow = await buildAnimal(db)
  const uncounted = await buildProduct(db, { stock_milli: null, unit: 'piece' })
  const locked = await buildProduct(db, { stock_milli: 5000, unit: 'piece' })
  await countAll()
  const unlock = await lockRow(locked.id)
  const old = wantedOrder(uncounted)
  const stale = wantedOrder(uncounted, { lines: [{ ...wantedLine(uncounted), version: 7 }] })
  const both = wantedOrder(jar, {
    lines: [...wantedOrder(cow).lines, { ...wantedLine(jar), position: 2 }],
    subtotal_poisha: 20_000,
    total_poisha: 20_000,
  })
  const first = await together([
    old,
    wantedOrder(jar),
    wantedOrder(locked),
    both,
    wantedOrder(cow),
    wantedOrder(jar),
    stale,
    wantedOrder(uncounted, { phone: '01799887766' }),
  ])
  await unlock()
  expect(first).toEqual([
    taken(),
    taken(),
    { reason: 'busy', product_id: locked.id },
    taken(true),
    { reason: 'not-available', lines: [expect.objectContaining({ product_id: cow.id })] },
    { reason: 'not-available', lines: [expect.objectContaining({ product_id: jar.id })] },
    { reason: 'stale' },
    taken(),
  ])
  const again = await together([old, { ...old, request_hash: sha256Hex('another') }])
  expect(again).toEqual([{ order_id: (first[0] as { order_id: number }).order_id, replayed: true }, { reason: 'key-reused' }])
})

it.each([
  ['on hold', { status: 'hold' }],
  ['sold', { status: 'sold' }],
  ['that is not shown', { visible: false }],
])('products %s are rejected by the database, whatever is cached', async (_name, state) => {
  const jar = await buildProduct(db, { stock_milli: 5000, unit: 'piece', ...state })
  await countAll()
  expect(await together([wantedOrder(jar)])).toEqual([
    { reason: 'not-available', lines: [{ product_id: jar.id, reason: 'not-available' }] },
  ])
})

it('a rejected order leaves its stock to the next one', async () => {
  const last = await buildProduct(db, { stock_milli: 1000, unit: 'piece' })
  const gone = await buildProduct(db, { stock_milli: 0, status: 'out-of-stock', unit: 'piece' })
  await countAll()
  const both = wantedOrder(last, {
    lines: [wantedLine(last), { ...wantedLine(gone), position: 2 }],
    subtotal_poisha: 20_000,
    total_poisha: 20_000,
  })
  expect(await together([both, wantedOrder(last)])).toEqual([
    { reason: 'not-available', lines: [{ product_id: gone.id, reason: 'not-available' }] },
    taken(true),
  ])
})

it('blocking orders lock products by ascending id, in any order of lines, so that no deadlock occurs', async () => {
  const [one, other] = [await buildProduct(db, { stock_milli: 90_000 }), await buildProduct(db, { stock_milli: 90_000 })]
  await countAll()
  const both = (goods: { id: number }[]) =>
    wantedOrder(one, {
      lines: goods.map((product, index) => ({ ...wantedLine(product), position: index + 1 })),
      subtotal_poisha: 20_000,
      total_poisha: 20_000,
    })
  const place = async (goods: { id: number }[]) =>
    (
      await sql<{ answer: unknown }>`select insert_order(${JSON.stringify({ ...both(goods), batch_index: 1 })}::jsonb) as answer`.execute(
        db,
      )
    ).rows[0]?.answer
  const unlock = await lockRow(one.id)
  const placed = Promise.all(Array.from({ length: 40 }, (_, index) => place(index % 2 ? [one, other] : [other, one])))
  await setTimeout(200)
  await unlock()
  expect(await placed).toEqual(Array.from({ length: 40 }, () => taken()))
})

it('an order that fails in the database does not affect the others', async () => {
  const jar = await buildProduct(db, { stock_milli: 90_000, unit: 'piece' })
  await countAll()
  const orders = Array.from({ length: 12 }, (_, index) => wantedOrder(jar, index === 5 ? { phone: 'none' } : {}))
  const results = await Promise.allSettled(orders.map((order) => insertOrder(db, order)))
  expect(results.map(({ status }) => status)).toEqual(orders.map((_, index) => (index === 5 ? 'rejected' : 'fulfilled')))
})

it('ten concurrent copies of a request are written once', async () => {
  const jar = await buildProduct(db, { stock_milli: 90_000, unit: 'piece' })
  await countAll()
  const order = wantedOrder(jar)
  const answers = await Promise.all(Array.from({ length: 10 }, () => insertOrder(db, order)))
  const ids = answers.flatMap(({ order_id, reason }) => (reason === 'stale' ? [] : [order_id]))
  expect([new Set(ids).size, ids.every((id) => id !== undefined)]).toEqual([1, true])
})

it('an order that finds a product locked is tried in the next batches, in its place, and waits for the lock at last', async () => {
  const batches: string[][] = []
  const blocking: string[] = []
  const isBusy = (key: string) => key === 'busy' || (key === 'skipped' && batches.length === 2)
  const batcher = new OrderBatcher(db, {
    async writeBatch(_db, orders) {
      batches.push(orders.map(({ idempotency_key }) => idempotency_key))
      return orders.map(({ idempotency_key }) => (isBusy(idempotency_key) ? { reason: 'busy', product_id: 1 } : { order_id: 1 }))
    },
    async writeBlocking(_db, order) {
      blocking.push(order.idempotency_key)
      return { order_id: 2 }
    },
    conflictKeys: () => [],
  })
  const add = (idempotency_key: string) => batcher.add({ idempotency_key, lines: [], coupon: null })
  const results = await Promise.all(['first', 'skipped', 'busy', 'last'].map(add))
  expect(results).toEqual([{ order_id: 1 }, { order_id: 1 }, { order_id: 2 }, { order_id: 1 }])
  expect(batches).toEqual([['first'], ['skipped', 'busy', 'last'], ['skipped', 'busy'], ['busy'], ['busy']])
  expect(blocking).toEqual(['busy'])
})
