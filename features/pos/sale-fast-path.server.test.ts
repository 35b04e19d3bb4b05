import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ShopCache } from '#features/catalog/shop-cache.server.ts'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { openDb } from '#lib/db/db.server.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { saleBody } from './forms.ts'
import { sell } from './sell.server.ts'
import { closeShift } from './shifts.server.ts'
import { discardOfflineSale } from './offline-sales.server.ts'

// The fast path writes a plain sale in one shared statement, with the same results as the path with locks.

const asked: string[] = []
const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [first] = args as [string | { text?: string } | undefined]
  asked.push((typeof first === 'string' ? first : first?.text) ?? '')
  return query.apply(this, args)
} as typeof pg.Client.prototype.query

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const cashiers = [await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier')] as const
const [cashier, other] = cashiers
for (const one of cashiers) await one.post('/admin/quick-orders/shift/open', { opening_cash: 0 })

let before = new Map<number, number>()
let honey: { id: number }
beforeEach(async () => {
  honey = await buildProduct(db, { unit: 'piece', stock_milli: 90_000, price_poisha: 12_000, name_en: 'Honey', name_bn: 'মধু' })
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

type Sent = Record<string, unknown>
const sale = (more: Sent = {}, price = 120, id = honey.id): Sent => ({
  products: [{ id, quantity: '2', price }],
  transactions: { cash: 2 * price, bkash: 0, bank: 0 },
  total: 2 * price,
  customer: { phone: '01712345678', name: 'Rahima', email: '' },
  ...more,
})
let keys = 0
let told = 0
const deps = { ...shop.deps, catalogChanged: () => void (told += 1) }
const now = () => shop.clock.now
const sellTo = (body: Sent, { key = `plain-${++keys}-key`, who = cashier as { id: number }, with: given = deps } = {}) =>
  sell(
    given,
    saleBody.parse(body),
    { kind: 'staff', id: who.id, ip: '127.0.0.1', can: () => false },
    { lang: 'en', idempotencyKey: key, sentAt: now() },
  )
const many = <T>(count: number, make: (index: number) => T) => Promise.all(Array.from({ length: count }, (_, index) => make(index)))
const listsOf = () => asked.filter((text) => text.includes('insert_pos_sales')).length
/** The same sale with `handed_over`, which needs the path with locks. */
const careful = (body: Sent): Sent => ({ ...body, handed_over: true, sold_at: now().toISOString() })

describe('the queries of a sale', () => {
  it('are the session and one statement', async () => {
    // The product must be in the cache first.
    await expect
      .poll(async () => {
        asked.length = 0
        await cashier.post('/admin/quick-orders/store', sale())
        return asked.length
      })
      .toBe(2)
    expect(asked.map((text) => /\/\*prepared (\w+)\*\//.exec(text)?.[1] ?? text)).toEqual(['session', 'insert_pos_sales'])
  })

  it('are shared by concurrent sales; the page cache is invalidated only by visible changes', async () => {
    // The notification of the new product may arrive in between and cause another read.
    const deaf = { ...deps, shopCache: new ShopCache(db, () => 1) }
    await sellTo(sale(), { with: deaf })
    ;[asked.length, told] = [0, 0]
    const sold = await many(13, (n) => sellTo(sale({ customer: { phone: `0171234560${n % 10}` } }), { who: cashiers[n % 3]!, with: deaf }))
    expect(sold.every(({ ok }) => ok)).toBe(true)
    expect([asked.filter((text) => !text.includes('insert_pos_sales')), told]).toEqual([[], 0])
    expect(listsOf()).toBeLessThan(6)
    const last = await buildProduct(db, { stock_milli: 2000, price_poisha: 12_000 })
    before = await countStock(db)
    expect((await sellTo(sale({}, 120, last.id))).ok).toBe(true)
    expect([await stockOf(db, last.id), told]).toEqual([{ left: 0, status: 'out-of-stock' }, 1])
  })
})

describe('the written rows', () => {
  const rowsOf = async (id: number) => {
    const of = (table: string, left: string, at = 'order_id') =>
      sql`(select jsonb_agg(to_jsonb(r) - array['id', 'order_id', 'at', ${sql.raw(left)}]::text[] order by ${sql.raw(at)}) from ${sql.raw(table)} r where ${sql.raw(at === 'subject' ? 'subject_id' : at)} = ${at === 'subject' ? String(id) : id})`
    const { rows } =
      await sql<Sent>`select ${of('orders', "'idempotency_key', 'request_hash', 'view_key', 'tracking_code'", 'id')} as orders,
      ${of('order_lines', "'x'")} as lines, ${of('ledger_entries', "'x'")} as ledger, ${of('pos_sales', "'x'")} as pos_sale,
      ${of('order_events', "'x'")} as events, ${of('stock_movements', "'x'")} as moved,
      ${of('audit_log', "'subject_id'", 'subject')} as log`.execute(db)
    return rows[0]!
  }
  const split = { transactions: { cash: 100, bkash: 100, bank: 60 }, change_amount: 20 }
  it.each<[string, Sent]>([
    ['cash', {}],
    ['money in three ways, with change', split],
    ['something off', { discount: 5, total: 235, transactions: { cash: 235 } }],
    ['nobody’s name', { customer: { phone: '01712345670' } }],
    ['a customer with an email', { customer: { phone: '01712345671', name: 'Karim', email: 'karim@example.com' } }],
    ['brought to the customer', { delivery: { area_id: area.id, address: 'House 5' }, total: 320, transactions: { cash: 320 } }],
  ])('of %s is the same in both ways', async (_name, more) => {
    const fresh = sale(more)
    const written = []
    for (const one of [fresh, careful(fresh)]) {
      asked.length = 0
      const sold = await sellTo(one)
      expect([sold.ok, asked.some((text) => text === 'begin')]).toEqual([true, one !== fresh])
      written.push(await rowsOf(sold.ok ? sold.orderId : 0))
    }
    expect(written[0]).toEqual(written[1])
  })

  it('are complete', async () => {
    const sold = await sellTo(
      sale({ ...split, products: [{ id: honey.id, quantity: '2', price: 120 }], transaction_ids: { bkash: 'ab12cd34' } }),
    )
    const { orders, ...rows } = await rowsOf(sold.ok ? sold.orderId : 0)
    const at = '2026-11-20T06:00:00+00:00'
    expect(orders).toMatchObject([
      {
        source: 'pos',
        status: 'completed',
        name: 'Rahima',
        address: '',
        area_id: null,
        lang: 'en',
        version: 1,
        placed_at: at,
        updated_at: at,
        subtotal_poisha: 24_000,
        total_poisha: 24_000,
        payable_poisha: 24_000,
        ledger_balance_poisha: 24_000,
        list_on: '2026-11-21',
        remarks: '',
      },
    ])
    const ledger = {
      kind: 'counter',
      actor_id: cashier.id,
      shift_id: expect.any(Number),
      paid_with_order: true,
      account_payment_id: null,
      return_id: null,
    }
    const paid = { cash: 80, bkash: 100, bank: 60 }
    expect(rows).toEqual({
      lines: [
        {
          position: 1,
          product_id: honey.id,
          name_en: 'Honey',
          name_bn: 'মধু',
          unit: 'piece',
          quantity_milli: 2000,
          base_price_poisha: 12_000,
          price_poisha: 12_000,
          line_total_poisha: 24_000,
          advance_poisha: 0,
          note: '',
          tag_number: null,
          booked_grams: null,
          booked_rate_poisha: null,
          delivery_on: null,
          discount_poisha: 0,
        },
      ],
      ledger: [
        { ...ledger, method: 'cash', amount_poisha: 8000, reference: null },
        { ...ledger, method: 'bkash', amount_poisha: 10_000, reference: 'AB12CD34' },
        { ...ledger, method: 'bank', amount_poisha: 6000, reference: null },
      ],
      pos_sale: [{ shift_id: expect.any(Number), tendered_poisha: 26_000, change_poisha: 2000 }],
      events: [{ actor: 'staff', actor_id: cashier.id, kind: 'placed', from_status: null, to_status: 'completed', detail: { paid } }],
      moved: [{ product_id: honey.id, delta_milli: -2000, reason: 'ordered' }],
      log: [
        {
          actor_id: cashier.id,
          action: 'created',
          subject: 'order',
          before: null,
          ip: '127.0.0.1',
          after: { phone: '01712345678', total: 240, discount: 0, paid },
        },
      ],
    })
  })
})

describe('concurrently', () => {
  it('three cashiers sell the last units once each', async () => {
    const last = await buildProduct(db, { stock_milli: 22_000, price_poisha: 12_000 })
    before = await countStock(db)
    const sold = await many(30, (n) => sellTo(sale({}, 120, last.id), { who: cashiers[n % 3]! }))
    const refused = sold.flatMap((one) => (one.ok ? [] : [one.reason]))
    expect([refused, await stockOf(db, last.id)]).toEqual([Array(19).fill('missing'), { left: 0, status: 'out-of-stock' }])
  })

  it('the same key is one sale: from one process, from two, and with the path with locks in between', async () => {
    const second = openDb(url, { max: 6 })
    const there = { ...deps, db: second.db }
    const held = sale({ customer: { phone: '01712345675' } })
    for (const body of [held, careful(held)]) {
      const key = `twice-${++keys}-key`
      const sold = await many(12, (n) => sellTo(body, { key, with: n % 2 ? there : deps }))
      expect(sold.every(({ ok }) => ok)).toBe(true)
      expect(new Set(sold.map((one) => one.ok && one.orderId)).size).toBe(1)
      expect(await sellTo({ ...body, customer: { phone: '01712345674' } }, { key })).toMatchObject({ ok: false, reason: 'key-reused' })
    }
    await second.close()
  })

  it('a discarded sale is either recorded or discarded', async () => {
    for (let round = 0; round < 5; round++) {
      const key = `dropped-${round}-key`
      const drop = { key, reason: 'Left', total: 240, products: [], customer: null, sold_at: now() }
      const [sold, dropped] = await Promise.all([
        sellTo(sale(), { key }),
        discardOfflineSale(db, { kind: 'staff', id: cashier.id, ip: '' }, drop as never),
      ])
      expect(sold.ok && (dropped.ok || dropped.orderId === sold.orderId)).toBe(true)
    }
  })

  it('a transaction id sent twice counts once, and the sales beside it are recorded', async () => {
    const paid = { transactions: { bkash: 240 }, transaction_ids: { bkash: 'TWICE12345' } }
    const sold = await many(9, (n) => sellTo(sale({ ...(n % 4 === 1 ? paid : {}), customer: { phone: `0171234568${n}` } })))
    expect(sold.filter(({ ok }) => !ok)).toEqual([
      { ok: false, reason: 'invalid', errors: { 'transaction_ids.bkash': [expect.any(String)] } },
    ])
  })

  it('a closing shift counts its sales, and none is recorded afterwards', async () => {
    for (let round = 0; round < 4; round++) {
      const who = await signedIn(shop, 'cashier')
      await who.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
      const close = { counted_cash: 0, counted_bkash: 0, counted_bank: 0, note: 'Counted in the rush' }
      const selling = many(14, (n) => sellTo(sale({ customer: { phone: `017123457${10 + n}` } }), { who }))
      const [sold] = await Promise.all([
        selling,
        closeShift(db, { kind: 'staff', id: who.id, ip: '' }, close as never, { methods: [], now: now() }),
      ])
      const made = sold.filter(({ ok }) => ok).length
      expect(sold.flatMap((one) => (one.ok ? [] : [one.reason]))).toEqual(Array(14 - made).fill('no-shift'))
      const { rows } = await sql<{
        cash: number
      }>`select expected_cash_poisha as cash from pos_shifts where cashier_id = ${who.id}`.execute(db)
      expect(rows).toEqual([{ cash: made * 24_000 }])
    }
  })

  it('a shift being closed blocks no other cashier; its own sale waits and then fails', async () => {
    const who = await signedIn(shop, 'cashier')
    await who.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
    const { promise: counted, resolve: finish } = Promise.withResolvers<void>()
    const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
    const closing = db.transaction().execute(async (tx) => {
      await sql`select 1 from pos_shifts where cashier_id = ${who.id} and closed_at is null for update`.execute(tx)
      isLocked()
      await counted
      await sql`update pos_shifts set closed_at = ${now()}, z_number = id, counted_cash_poisha = 0, counted_bkash_poisha = 0, counted_bank_poisha = 0,
        expected_cash_poisha = 0, expected_bkash_poisha = 0, expected_bank_poisha = 0 where cashier_id = ${who.id}`.execute(tx)
    })
    await locked
    let isAnswered = false
    const waiting = sellTo(sale(), { who }).finally(() => (isAnswered = true))
    const others = await many(6, (n) => sellTo(sale({ customer: { phone: `0171234590${n}` } }), { who: other }))
    expect([others.every(({ ok }) => ok), isAnswered]).toEqual([true, false])
    finish()
    await closing
    expect(await waiting).toEqual({ ok: false, reason: 'no-shift' })
  })

  it('a changed price that the cache does not know yet is not accepted', async () => {
    const deaf = { ...deps, shopCache: new ShopCache(db, () => 1) }
    expect((await sellTo(sale(), { with: deaf })).ok).toBe(true)
    await sql`update products set price_poisha = 13000 where id = ${honey.id}`.execute(db)
    expect(await sellTo(sale(), { with: deaf })).toMatchObject({ ok: false, reason: 'changed', sums: { total: 260 } })
    expect(await sellTo(sale({}, 130), { with: deaf })).toMatchObject({ ok: true })
    await sql`update products set status = 'hold' where id = ${honey.id}`.execute(db)
    expect(await sellTo(sale({}, 130), { with: deaf })).toMatchObject({ ok: false, reason: 'approval' })
    await sql`update products set status = 'in-stock' where id = ${honey.id}`.execute(db)
  })
})
