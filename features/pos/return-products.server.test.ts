import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// Returns at the POS: never more than was sold or paid, also with concurrent requests.

const { db, url } = await testDb()
// The limit of a cashier's refunds has its own tests: return-limit.server.test.ts.
await sql`insert into settings (key, value) values ('pos_return', '{"taka":10000000,"day_taka":10000000}')`.execute(db)
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db)
const [cashier, other, manager, viewer] = [
  await signedIn(shop, 'cashier'),
  await signedIn(shop, 'cashier'),
  await signedIn(shop, 'manager'),
  await signedIn(shop, 'viewer'),
]
for (const one of [cashier, other]) await one.post('/admin/quick-orders/shift/open', { opening_cash: 500_000 })

let before = new Map<number, number>()
let honey: { id: number }
beforeEach(async () => {
  honey = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 12_000 })
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

type Line = [id: number, quantity: number, price: number]
async function sold(lines: Line[], { discount = 0, who = cashier } = {}): Promise<number> {
  const goods = lines.reduce((sum, [, quantity, price]) => sum + quantity * price, 0)
  const answer = await who.post('/admin/quick-orders/store', {
    products: lines.map(([id, quantity, price]) => ({ id, quantity, price })),
    transactions: { cash: goods - discount },
    discount,
    total: goods - discount,
    customer: { phone: '01712345678', name: 'Rahima' },
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}
const back = (id: number, lines: object[], refund: object, more: object = {}, key?: string, who = cashier) =>
  who.post(
    `/admin/quick-orders/return/${id}`,
    { lines, refund, reason: 'Not ripe', ...more },
    key ? { headers: { 'idempotency-key': key } } : {},
  )
const moneyOf = async (id: number) =>
  (
    await sql`select kind, method, (amount_poisha / 100.0)::float8 as amount from ledger_entries where order_id = ${id} and kind <> 'counter' order by id`.execute(
      db,
    )
  ).rows
const orderOf = async (id: number) =>
  (await sql`select status, ledger_balance_poisha as paid, spent_poisha as spent from orders where id = ${id}`.execute(db)).rows[0]

describe('a return', () => {
  it('of packs of 125 g, which are sold and come back one by one', async () => {
    const ghee = await buildProduct(db, { unit: 'kg', stock_milli: 1000, price_poisha: 160_000, sizes_milli: [125, 500] })
    before = await countStock(db)
    const id = await sold([[ghee.id, 0.375, 1600]])
    expect((await back(id, [{ product_id: ghee.id, quantity: '0.125' }], { cash: 200 })).status).toBe(200)
    expect((await back(id, [{ product_id: ghee.id, quantity: 0.25 }], { cash: 400 })).status).toBe(200)
    expect(await stockOf(db, ghee.id)).toMatchObject({ left: 1 })
    expect(await orderOf(id)).toMatchObject({ status: 'returned', paid: 0 })
  })

  it('returns a part, then the rest: money, stock, spoiled, status, history and log', async () => {
    const id = await sold([[honey.id, 3, 120]], { discount: 10 })
    const part = await back(id, [{ product_id: honey.id, quantity: '1.5' }], { cash: 100, bkash: 75 })
    expect([part.status, part.text]).toEqual([200, expect.stringContaining('/admin/quick-orders/return-receipts/')])
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 48.5 })
    expect(await orderOf(id)).toEqual({ status: 'completed', paid: 35_000, spent: 17_500 })
    const rest = await back(
      id,
      [{ product_id: honey.id, quantity: 1.5, spoiled: true }],
      { bank: 175 },
      { transaction_ids: { bank: 'ret-0001' } },
    )
    expect(rest.status, rest.text).toBe(200)
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 48.5 })
    expect(await orderOf(id)).toMatchObject({ status: 'returned', paid: 0 })
    expect(await moneyOf(id)).toEqual([
      { kind: 'refund', method: 'cash', amount: -100 },
      { kind: 'refund', method: 'bkash', amount: -75 },
      { kind: 'return', method: 'return', amount: 175 },
      { kind: 'refund', method: 'bank', amount: -175 },
      { kind: 'return', method: 'return', amount: -175 },
    ])
    const events = await sql`select kind, to_status from order_events where order_id = ${id} order by id`.execute(db)
    expect(events.rows).toEqual([
      { kind: 'placed', to_status: 'completed' },
      { kind: 'goods-returned', to_status: null },
      { kind: 'goods-returned', to_status: null },
      { kind: 'status', to_status: 'returned' },
    ])
    const log = await sql`select 1 from audit_log where action = 'refunded' and subject_id = ${String(id)}`.execute(db)
    expect(log.rows).toHaveLength(2)
    expect((await back(id, [{ product_id: honey.id, quantity: 1 }], { cash: 0 })).status).toBe(409)
  })

  it('takes back whole pieces and whole animals only', async () => {
    const [pineapple, cow] = [await buildProduct(db, { unit: 'piece', stock_milli: 9000, price_poisha: 6000 }), await buildAnimal(db)]
    before = await countStock(db)
    const id = await sold([
      [pineapple.id, 3, 60],
      [cow.id, 1, 110_000],
    ])
    const half = await back(id, [{ product_id: pineapple.id, quantity: 0.5 }], { cash: 30 })
    expect([half.status, half.body.errors]).toEqual([422, { 'lines.0.quantity': ['Whole units only.'] }])
    expect((await back(id, [{ product_id: cow.id, quantity: 0.5 }], { cash: 55_000 })).status).toBe(422)
    expect((await back(id, [{ product_id: pineapple.id, quantity: 1 }], { cash: 60 })).status).toBe(200)
  })

  it('holds an animal until it is released, and removes a dead one', async () => {
    const [cow, calf] = [await buildAnimal(db), await buildAnimal(db)]
    before = await countStock(db)
    const id = await sold([
      [cow.id, 1, 110_000],
      [calf.id, 1, 110_000],
    ])
    expect((await back(id, [{ product_id: cow.id, quantity: 1 }], { cash: 110_000 })).status).toBe(200)
    expect(await stockOf(db, cow.id)).toEqual({ left: 1, status: 'hold' })
    const { rows } = await sql<{ version: number }>`select version from products where id = ${cow.id}`.execute(db)
    const release = { outcome: 'healthy', reason: 'Walks well', version: rows[0]!.version }
    expect((await manager.post(`/admin/animals/${cow.id}/release`, release)).status).toBe(200)
    const again = await sold([[cow.id, 1, 110_000]], { who: other })
    expect((await back(id, [{ product_id: calf.id, quantity: 1, spoiled: true }], { cash: 110_000 })).status).toBe(200)
    expect(await stockOf(db, calf.id)).toEqual({ left: 0, status: 'out-of-stock' })
    expect(await orderOf(again)).toMatchObject({ status: 'completed' })
  })

  it('ends editing and reopening of the sale', async () => {
    const id = await sold([[honey.id, 2, 120]])
    await back(id, [{ product_id: honey.id, quantity: 1 }], { cash: 120 })
    const seen = await manager.get(`/admin/orders/update/${id}`, { accept: 'text/html' })
    expect(seen.status).toBe(200)
    await sql`update orders set status = 'delivered' where id = ${id}`.execute(db)
    const edit = await manager.post(`/admin/orders/update/${id}`, {
      address: 'House 9',
      area_id: area.id,
      products: [{ product_id: honey.id, quantity: 1, price_on_order: '' }],
    })
    expect([edit.status, edit.text.includes('"is_editable":false')]).toEqual([409, true])
    await sql`update orders set status = 'completed' where id = ${id}`.execute(db)
    const { rows } = await sql<{ version: number }>`select version from orders where id = ${id}`.execute(db)
    const reopened = await manager.post('/admin/orders/status', { orders: [{ id, version: rows[0]!.version }], status: 'delivered' })
    expect(reopened.text).toContain('"ok":false')
    expect((await back(id, [{ product_id: honey.id, quantity: 1 }], { cash: 120 })).status).toBe(200)
    const gone = await sql<{ version: number }>`select version from orders where id = ${id}`.execute(db)
    const opened = await manager.post('/admin/orders/status', { orders: [{ id, version: gone.rows[0]!.version }], status: 'processing' })
    expect(opened.text).toContain('"ok":false')
  })
})

describe('limits of returns', () => {
  it('hold for the same products at two POS concurrently, without a deadlock', async () => {
    const jar = await buildProduct(db, { unit: 'piece', stock_milli: 50_000, price_poisha: 50_000 })
    before = await countStock(db)
    for (let time = 0; time < 20; time++) {
      const lines: Line[] = [
        [honey.id, 1, 120],
        [jar.id, 1, 500],
      ]
      const ids = [await sold(lines), await sold(lines, { who: other })] as const
      const goods = lines.map(([product_id]) => ({ product_id, quantity: 1 }))
      const answers = await Promise.all([
        back(ids[0], goods, { cash: 620 }),
        back(ids[1], goods.toReversed(), { cash: 620 }, {}, undefined, other),
      ])
      expect(answers.map(({ status, text }) => [status, status === 200 || text])).toEqual([
        [200, true],
        [200, true],
      ])
    }
    const { rows } = await sql<{ n: number }>`select deadlocks::int as n from pg_stat_database where datname = current_database()`.execute(
      db,
    )
    expect(rows[0]!.n).toBe(0)
  })

  it('hold for concurrent returns: each kilogram and each poisha once', async () => {
    const id = await sold([[honey.id, 3, 120]], { discount: 10 })
    const one = () => back(id, [{ product_id: honey.id, quantity: 3 }], { cash: 350 }, {}, undefined, Math.random() < 0.5 ? cashier : other)
    const answers = await Promise.all(Array.from({ length: 8 }, one))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)])
    const parts = await sold([[honey.id, 5, 120]])
    const some = await Promise.all(Array.from({ length: 9 }, () => back(parts, [{ product_id: honey.id, quantity: 1 }], { cash: 120 })))
    expect(some.filter((answer) => answer.status === 200)).toHaveLength(5)
  })

  it('the same key and body is the same return; another body is rejected', async () => {
    const id = await sold([[honey.id, 3, 120]])
    const ask = (quantity: number, key: string) => back(id, [{ product_id: honey.id, quantity }], { cash: 120 * quantity }, {}, key)
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(1, 'return-key-1')))
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1)
    expect((await ask(2, 'return-key-1')).status).toBe(409)
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 48 })
  })

  it('a return whose answer was lost is not recorded once more with a corrected input', async () => {
    const id = await sold([[honey.id, 3, 120]])
    const ask = (returns: number, reason: string) => back(id, [{ product_id: honey.id, quantity: 1 }], { cash: 120 }, { returns, reason })
    expect((await ask(0, 'Not rip')).status).toBe(200)
    expect(await ask(0, 'Not ripe')).toMatchObject({ status: 409, body: { reason: 'returned' } })
    expect(await moneyOf(id)).toHaveLength(2)
    expect((await ask(1, 'Not ripe')).status).toBe(200)
  })

  it('the refund must match the server, and the cash must be in the drawer', async () => {
    const poor = await signedIn(shop, 'cashier')
    await poor.post('/admin/quick-orders/shift/open', { opening_cash: 50 })
    const id = await sold([[honey.id, 1, 120]])
    for (const refund of [{ cash: 120.01 }, { cash: 119.99 }, { cash: 60 }, { cash: 121, bkash: -1 }, {}])
      expect((await back(id, [{ product_id: honey.id, quantity: 1 }], refund)).status).toBe(422)
    const drawer = await back(id, [{ product_id: honey.id, quantity: 1 }], { cash: 120 }, {}, undefined, poor)
    expect([drawer.status, drawer.body.errors]).toEqual([422, { 'refund.cash': [expect.any(String)] }])
    expect((await back(id, [{ product_id: honey.id, quantity: 1 }], { cash: 50, bkash: 70 }, {}, undefined, poor)).status).toBe(200)
    const close = { counted_cash: 0, counted_bkash: 0, counted_bank: 0, note: 'bKash went out' }
    expect((await poor.post('/admin/quick-orders/shift/close', close)).status).toBe(200)
  })
})

describe('bad input', () => {
  it('a transaction id counts once, for payments and refunds', async () => {
    const body = {
      products: [{ id: honey.id, quantity: 2 }],
      transactions: { bkash: 240 },
      transaction_ids: { bkash: ' used 1234 ' },
      total: 240,
      customer: { phone: '01712345678' },
    }
    expect((await cashier.post('/admin/quick-orders/store', body)).status).toBe(200)
    const again = await cashier.post('/admin/quick-orders/store', body)
    expect([again.status, again.body.errors]).toEqual([422, { 'transaction_ids.bkash': [expect.any(String)] }])
    const wrong = await cashier.post('/admin/quick-orders/store', { ...body, transaction_ids: { bkash: '!' } })
    expect([wrong.status, wrong.body.errors]).toEqual([422, { 'transaction_ids.bkash': [expect.any(String)] }])
  })

  it.each<[string, object, number]>([
    ['more than was sold', { lines: [{ product_id: 0, quantity: 2.01 }] }, 422],
    ['nothing', { lines: [] }, 422],
    ['below zero', { lines: [{ product_id: 0, quantity: -1 }] }, 422],
    ['four decimals', { lines: [{ product_id: 0, quantity: '0.0001' }] }, 422],
    [
      'twice the same',
      {
        lines: [
          { product_id: 0, quantity: 1 },
          { product_id: 0, quantity: 1 },
        ],
      },
      422,
    ],
    ['what was not sold', { lines: [{ product_id: 999_999, quantity: 1 }] }, 422],
    ['a hostile reason', { reason: '\u0000' }, 422],
    ['no reason', { reason: '  ' }, 422],
    ['a huge reason', { reason: 'x'.repeat(300) }, 422],
    ['a used transaction', { refund: { bkash: 120 }, transaction_ids: { bkash: 'USED1234' } }, 422],
    ['a wrong transaction', { refund: { bkash: 120 }, transaction_ids: { bkash: '<b>' } }, 422],
    ['a field that nobody knows', { price: 1 }, 422],
  ])('%s', async (_name, more, status) => {
    const id = await sold([[honey.id, 2, 120]])
    const text = JSON.stringify({ lines: [{ product_id: 0, quantity: 1 }], refund: { cash: 120 }, reason: 'Not ripe', ...more })
    const answer = await cashier.post(`/admin/quick-orders/return/${id}`, text.replaceAll('"product_id":0', `"product_id":${honey.id}`))
    expect([answer.status, answer.body]).toEqual([
      status,
      expect.objectContaining({ message: expect.any(String), errors: expect.any(Object) }),
    ])
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 48 })
  })

  it('an unknown order, a web order, one not delivered; without shift, token or permission', async () => {
    const lines = [{ product_id: honey.id, quantity: 1 }]
    expect((await back(999_999, lines, { cash: 120 })).status).toBe(404)
    const id = await sold([[honey.id, 2, 120]])
    await sql`update orders set status = 'processing' where id = ${id}`.execute(db)
    expect((await back(id, lines, { cash: 120 })).status).toBe(409)
    await sql`update orders set status = 'completed' where id = ${id}`.execute(db)
    expect((await back(id, lines, { cash: 120 }, {}, undefined, manager)).status).toBe(409)
    expect((await back(id, lines, { cash: 120 }, {}, undefined, viewer)).status).toBe(403)
    expect((await cashier.post(`/admin/quick-orders/return/${id}`, { lines }, { token: null })).status).toBe(403)
  })
})
