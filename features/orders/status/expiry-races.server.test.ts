import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { expireOrders } from './expire-orders.server.ts'

// Unpaid orders release their stock exactly once when they expire [S3].

const { db, url } = await testDb({ max: 16 })
const [shop, twin] = [await openShop({ databaseUrl: url, max: 16 }), await openShop({ databaseUrl: url, max: 16 })]
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const expireAll = (process = shop) =>
  expireOrders({ ...process.deps, now: () => shop.clock.now, catalogChanged: () => process.deps.catalogRevision.advance() })
const pass = (minutes: number) => void (shop.clock.now = new Date(shop.clock.now.getTime() + minutes * 60_000))

let before = new Map<number, number>()
beforeEach(async () => {
  pass(48 * 60)
  await expireAll()
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect([...shop.failures, ...twin.failures]).toEqual([])
})

async function ordered({ gateway = 'pgw' } = {}) {
  const [cow, honey] = [await buildAnimal(db), await buildProduct(db, { unit: 'piece', stock_milli: 3000 })]
  before = await countStock(db)
  const payment = { payment_type: 'partial', payment_gateway: gateway, payable_amount: 11_500, partial_payment: 11_500 }
  const { status, body, text } = await shop.post(
    '/customer-orders',
    orderBody(
      area.id,
      [
        [cow.id, 1],
        [honey.id, 3],
      ],
      payment,
    ),
  )
  expect(status, text).toBe(200)
  const { rows } = await sql<{ id: number }>`select id from orders order by id desc limit 1`.execute(db)
  return { id: body.order_id ?? rows[0]!.id, cow, honey }
}

async function stateOf(order: { id: number; cow: { id: number }; honey: { id: number } }) {
  const { rows } = await sql<Record<string, unknown>>`
    select o.status, c.status as cow, c.stock_milli as cow_left, h.status as honey, h.stock_milli as honey_left, (select count(*)::int from animal_holds where order_id = o.id) as claims,
      (select count(*)::int from stock_movements where order_id = o.id and reason = 'freed') as freed, (select count(*)::int from order_events where order_id = o.id and kind = 'expired') as expired,
      (select count(*)::int from sms_outbox where order_id = o.id and template like 'order-expired-%') as told
    from orders o, products c, products h where o.id = ${order.id} and c.id = ${order.cow.id} and h.id = ${order.honey.id}`.execute(db)
  return rows[0]
}
const HELD = { status: 'placed', cow: 'hold', cow_left: 0, honey: 'out-of-stock', honey_left: 0, claims: 1, freed: 0, expired: 0, told: 0 }
const FREED = {
  status: 'cancelled',
  cow: 'in-stock',
  cow_left: 1000,
  honey: 'in-stock',
  honey_left: 3000,
  claims: 0,
  freed: 2,
  expired: 1,
  told: 1,
}

it.each([
  ['a gateway payment after half an hour', 'pgw', 29, 2],
  ['an advance by hand that nobody reported after half an hour', 'NONE', 29, 2],
])('%s: animal and jars are released once', async (_name, gateway, early, more) => {
  const order = await ordered({ gateway })
  pass(early)
  await expireAll()
  expect(await stateOf(order)).toEqual(HELD)
  pass(more)
  await expireAll()
  await expireAll()
  expect(await stateOf(order)).toEqual(FREED)
  const again = await shop.post('/customer-orders', orderBody(area.id, [[order.cow.id, 1]]))
  expect(again.status).toBe(200)
})

it('ten concurrent jobs in two processes cancel each order once', async () => {
  const orders = []
  for (let count = 0; count < 6; count++) orders.push(await ordered())
  before = await countStock(db)
  pass(31)
  const ended = await Promise.all(Array.from({ length: 10 }, (_, index) => expireAll(index % 2 ? shop : twin)))
  expect(ended.reduce((sum, one) => sum + one, 0)).toBe(6)
  for (const order of orders) expect(await stateOf(order)).toEqual(FREED)
})

it('does not cancel a paid order', async () => {
  const order = await ordered()
  await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference) values (${order.id}, 'counter', 'cash', 1150000, 'desk-1')`.execute(
    db,
  )
  pass(31)
  expect(await expireAll()).toBe(0)
  expect(await stateOf(order)).toEqual(HELD)
})

it('does not cancel an order that staff confirm concurrently', async () => {
  const order = await ordered()
  pass(31)
  await db.transaction().execute(async (tx) => {
    await sql`update orders set status = 'processing', expires_at = null where id = ${order.id}`.execute(tx)
    expect(await expireAll()).toBe(0)
  })
  expect(await expireAll()).toBe(0)
  expect(await stateOf(order)).toEqual({ ...HELD, status: 'processing' })
})

it('of buyers who order the animal when it is released, one gets it', async () => {
  const order = await ordered()
  pass(31)
  const body = () => orderBody(area.id, [[order.cow.id, 1]])
  const [ended, ...answers] = await Promise.all([
    expireAll(),
    ...Array.from({ length: 20 }, () => shop.post('/customer-orders', body())),
    ...Array.from({ length: 20 }, () => twin.post('/customer-orders', body())),
  ])
  expect(ended).toBe(1)
  const taken = answers.filter((answer) => answer.status === 200).length
  expect(taken).toBeLessThanOrEqual(1)
  expect(answers.filter((answer) => answer.status === 410)).toHaveLength(40 - taken)
})
