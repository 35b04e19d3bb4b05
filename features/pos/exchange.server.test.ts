import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { pageProps } from '#test/page-props.ts'
import { openShop } from '#test/request.ts'

// Exchanges at the POS: both orders balance, the drawer changes by the difference, and a rejected exchange leaves nothing.

const { db, url } = await testDb()
await sql`insert into settings (key, value) values ('pos_return', '{"taka":300,"day_taka":10000000}')`.execute(db)
const shop = await openShop({ databaseUrl: url })
const [cashier, other, viewer] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier'), await signedIn(shop, 'viewer')]
for (const one of [cashier, other]) await one.post('/admin/quick-orders/shift/open', { opening_cash: 5000 })

let before = new Map<number, number>()
let honey: { id: number }
let mango: { id: number }
beforeEach(async () => {
  honey = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 12_000 })
  mango = await buildProduct(db, { unit: 'kg', stock_milli: 10_000, price_poisha: 8000 })
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

const setRounding = async (isOn: boolean) => {
  await sql`insert into settings (key, value) values ('cash_rounding', ${JSON.stringify(isOn)}::jsonb)
    on conflict (key) do update set value = excluded.value`.execute(db)
  const page = async () => pageProps<{ roundsCash: boolean }>((await cashier.get('/admin/quick-orders', { accept: 'text/html' })).text)
  await expect.poll(async () => (await page()).roundsCash).toBe(isOn)
}
const CUSTOMER = { phone: '01712345678', name: 'Rahima' }
async function sold(id: number, quantity: number, total: number, more: object = {}): Promise<number> {
  const body = { products: [{ id, quantity }], transactions: { cash: total }, total, customer: CUSTOMER, ...more }
  const answer = await cashier.post('/admin/quick-orders/store', body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.order_id!
}
const sale = (id: number, quantity: number, total: number, transactions: object = {}) => {
  return { products: [{ id, quantity }], transactions, total, customer: CUSTOMER }
}
const back = (id: number, quantity: number | string, refund: object = {}, more: object = {}) => {
  return { exchange: { lines: [{ product_id: id, quantity, ...more }], refund, reason: 'Not ripe' } }
}
const exchange = (order: number | string, body: object, { who = cashier, key }: { who?: typeof cashier; key?: string } = {}) =>
  who.post(`/admin/quick-orders/exchange/${order}`, body, key ? { headers: { 'idempotency-key': key } } : {})
const entriesOf = async (id: number) =>
  (
    await sql<{ entry: string }>`select concat_ws(' ', kind, method, (amount_poisha / 100.0)::float8) as entry from ledger_entries
      where order_id = ${id} order by id`.execute(db)
  ).rows.map(({ entry }) => entry)
const orderOf = async (id: number) =>
  (await sql<object>`select status, amount_due(o) as due, spent_poisha::float8 / 100 as spent from orders o where id = ${id}`.execute(db))
    .rows[0]
const drawer = async () =>
  Number(
    (
      await sql<{
        cash: number
      }>`select coalesce(sum(amount_poisha) filter (where method = 'cash'), 0) as cash from ledger_entries where shift_id is not null`.execute(
        db,
      )
    ).rows[0]!.cash,
  ) / 100
/** What an exchange may write, to compare before and after a rejection. */
const rows = async () =>
  (
    await sql`select (select count(*) from orders) as orders, (select count(*) from ledger_entries) as entries, (select count(*) from pos_returns) as returns,
      (select count(*) from stock_movements) as moves, (select count(*) from order_events) as events, (select count(*) from audit_log) as log`.execute(
      db,
    )
  ).rows[0]

describe('an exchange', () => {
  it('for more: the customer pays the difference', async () => {
    const first = await sold(honey.id, 2, 240)
    const cash = await drawer()
    const done = await exchange(first, { ...sale(mango.id, 4, 320, { cash: 100 }), change_amount: 20, ...back(honey.id, 2) })
    expect(done.status, done.text).toBe(200)
    const second = done.body.order_id!
    expect(done.body).toMatchObject({ success: true, redirect: `/admin/quick-orders/pos-invoice/${second}` })
    expect((await drawer()) - cash).toBe(80)
    expect(await entriesOf(first)).toEqual(['counter cash 240', 'refund exchange -240'])
    expect(await entriesOf(second)).toEqual(['counter cash 80', 'counter exchange 240'])
    expect(await orderOf(first)).toMatchObject({ status: 'returned', due: 0 })
    expect(await orderOf(second)).toEqual({ status: 'completed', due: 0, spent: 320 })
    expect([await stockOf(db, honey.id), await stockOf(db, mango.id)]).toMatchObject([{ left: 50 }, { left: 6 }])
    const receipt = await cashier.get(`/admin/quick-orders/pos-invoice/${second}`, { accept: 'text/html' })
    expect(receipt.text).toContain('data-exchange')
    const returned = await cashier.get(`/admin/quick-orders/return-receipts/${(done.body as { return_id?: number }).return_id}`, {
      accept: 'text/html',
    })
    expect([returned.status, returned.text.includes(`${second}`)]).toEqual([200, true])
  })

  it('of unpaid products refunds nothing, and what was taken instead can be exchanged again', async () => {
    const phone = '01712345699'
    await db.insertInto('users').values({ name: 'Rahima', phone, credit_limit_poisha: 50_000 }).execute()
    const first = await sold(honey.id, 2, 240, { transactions: {}, on_account: 240, customer: { phone } })
    const second = (await exchange(first, { ...sale(mango.id, 3, 240, { cash: 240 }), ...back(honey.id, 2) })).body.order_id!
    expect([await entriesOf(first), await entriesOf(second)]).toEqual([[], ['counter cash 240']])
    const third = await exchange(second, { ...sale(honey.id, 2, 240), ...back(mango.id, 3) })
    expect(third.status, third.text).toBe(200)
    expect(await entriesOf(second)).toEqual(['counter cash 240', 'refund exchange -240'])
  })

  it('for less: the difference is paid back, of a part and with a discount', async () => {
    const first = await sold(honey.id, 3, 350, { discount: 10 })
    const cash = await drawer()
    const done = await exchange(first, { ...sale(mango.id, 1, 80), ...back(honey.id, '1.5', { cash: 50, bkash: 45 }, { spoiled: true }) })
    expect(done.status, done.text).toBe(200)
    expect((await drawer()) - cash).toBe(-50)
    expect(await entriesOf(first)).toEqual([
      'counter cash 350',
      'refund cash -50',
      'refund bkash -45',
      'refund exchange -80',
      'return return 175',
    ])
    expect(await entriesOf(done.body.order_id!)).toEqual(['counter exchange 80'])
    expect(await orderOf(first)).toEqual({ status: 'completed', due: 0, spent: 175 })
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 47 })
  })

  it('of the same products, with the last of the stock: they come back first', async () => {
    const first = await sold(mango.id, 10, 800)
    expect(await stockOf(db, mango.id)).toMatchObject({ left: 0 })
    const done = await exchange(first, { ...sale(mango.id, 3, 240), ...back(mango.id, 3) })
    expect(done.status, done.text).toBe(200)
    expect(await entriesOf(done.body.order_id!)).toEqual(['counter exchange 240'])
  })

  it('rounds only the cash of the difference', async () => {
    await setRounding(true)
    const first = await sold(honey.id, 0.69, 82.8, { transactions: { cash: 83 } })
    const more = await exchange(first, { ...sale(mango.id, 0.62, 49.6), ...back(honey.id, 0.69, { cash: 33 }) })
    expect(more.status, more.text).toBe(200)
    expect(await entriesOf(first)).toEqual([
      'counter cash 83',
      'rounding rounding -0.2',
      'refund cash -33',
      'refund exchange -49.6',
      'rounding rounding -0.2',
    ])
    const second = more.body.order_id!
    const less = await exchange(second, { ...sale(honey.id, 0.69, 82.8, { cash: 33 }), ...back(mango.id, 0.62) })
    expect(less.status, less.text).toBe(200)
    expect(await entriesOf(less.body.order_id!)).toEqual(['counter cash 33', 'counter exchange 49.6', 'rounding rounding 0.2'])
    expect([await orderOf(second), await orderOf(less.body.order_id!)]).toMatchObject([{ due: 0 }, { due: 0 }])
    await setRounding(false)
  })

  it('stands in the report of the shift, outside of the payment methods', async () => {
    const first = await sold(honey.id, 1, 120)
    await exchange(first, { ...sale(mango.id, 2, 160, { cash: 40 }), ...back(honey.id, 1) })
    const page = await other.get('/admin/quick-orders/shifts?download=', { accept: 'text/html' })
    expect(page.status).toBe(200)
    const manager = await signedIn(shop, 'manager')
    const file = await manager.get('/admin/quick-orders/shifts?download=', { accept: 'text/html' })
    expect(file.text).toMatch(/"Exchanges","Carried over",\d+,\d+/)
    expect(file.text).toMatch(/"Ledger","Difference",,0\b/)
    const list = await manager.get('/admin/quick-orders/sales', { accept: 'text/html' })
    expect(list.text).toContain('"exchange"')
  })
})

describe('a rejected exchange leaves nothing', () => {
  it('of each side, with its reason', async () => {
    const first = await sold(honey.id, 2, 240)
    const cow = await buildAnimal(db)
    await sql`update products set status = 'out-of-stock', stock_milli = 0 where id = ${cow.id}`.execute(db)
    before = await countStock(db)
    const state = await rows()
    const cases: [string, object, number, string][] = [
      ['another refund', { ...sale(mango.id, 1, 80), ...back(honey.id, 2, { cash: 150 }) }, 422, 'exchange.refund'],
      ['more than was sold', { ...sale(mango.id, 1, 80), ...back(honey.id, 3, { cash: 280 }) }, 422, 'exchange.lines.0.quantity'],
      ['a product that was not sold', { ...sale(mango.id, 1, 80), ...back(mango.id, 1) }, 422, 'exchange.lines.0.product_id'],
      ['too little paid', { ...sale(mango.id, 4, 320, { cash: 79 }), ...back(honey.id, 2) }, 422, 'transactions'],
      ['the credit paid again', { ...sale(mango.id, 4, 320, { bkash: 320 }), ...back(honey.id, 2) }, 422, 'transactions'],
      ['another total', { ...sale(mango.id, 4, 300, { cash: 60 }), ...back(honey.id, 2) }, 422, 'total'],
      ['beyond the stock', { ...sale(mango.id, 11, 880, { cash: 640 }), ...back(honey.id, 2) }, 410, 'products.0.quantity'],
      [
        'no reason',
        { ...sale(mango.id, 3, 240), exchange: { lines: [{ product_id: honey.id, quantity: 2 }], refund: {}, reason: ' ' } },
        422,
        'exchange.reason',
      ],
      [
        'nothing taken',
        { products: [], transactions: {}, total: 240, customer: CUSTOMER, ...back(honey.id, 2, { cash: 240 }) },
        422,
        'products',
      ],
      ['nothing returned', { ...sale(mango.id, 3, 240), exchange: { lines: [], refund: {}, reason: 'No' } }, 422, 'exchange.lines'],
      ['no exchange', sale(mango.id, 3, 240), 422, 'exchange'],
      ['a huge quantity', { ...sale(mango.id, 3, 240), ...back(honey.id, '9'.repeat(30)) }, 422, 'exchange.lines.0.quantity'],
      ['an unknown field', { ...sale(mango.id, 3, 240), exchange: { ...back(honey.id, 2).exchange, method: 'exchange' } }, 422, 'exchange'],
      ['more cash than the drawer has', { ...sale(mango.id, 3, 240), ...back(honey.id, 2, { cash: 1e9 }) }, 422, 'exchange.refund'],
    ]
    for (const [name, body, status, field] of cases) {
      const answer = await exchange(first, body)
      expect([name, answer.status, Object.keys(answer.body.errors ?? {})], answer.text).toEqual([name, status, [field]])
    }
    const animal = await exchange(first, { ...sale(cow.id, 1, 110_000, { cash: 109_760 }), ...back(honey.id, 2) })
    expect(animal.status, animal.text).toBe(410)
    expect((await exchange(999_999, { ...sale(mango.id, 3, 240), ...back(honey.id, 2) })).status).toBe(404)
    expect((await exchange('x', { ...sale(mango.id, 3, 240), ...back(honey.id, 2) })).status).toBe(422)
    expect((await exchange(first, { ...sale(mango.id, 3, 240), ...back(honey.id, 2) }, { who: viewer })).status).toBe(403)
    expect((await exchange(first, { ...sale(mango.id, 3, 240), cashier_id: other.id, ...back(honey.id, 2) })).status).toBe(409)
    expect(await rows()).toEqual(state)
    expect(await stockOf(db, honey.id)).toMatchObject({ left: 48 })
  })

  it('that pays back more than the drawer holds, but for the log: refusals tell what is in the drawer', async () => {
    const poor = await signedIn(shop, 'cashier')
    const { body: opened } = await poor.post('/admin/quick-orders/shift/open', { opening_cash: 100 })
    const first = await sold(honey.id, 2, 240, { transactions: { bkash: 240 } })
    const refused = await exchange(first, { ...sale(mango.id, 1, 80), ...back(honey.id, 2, { cash: 160 }) }, { who: poor })
    expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['exchange.refund.cash']])
    expect(await orderOf(first)).toMatchObject({ status: 'completed', due: 0 })
    const { rows: logged } = await sql<{ after: object }>`select after from audit_log where subject = 'shift' and after ? 'refused'
      and subject_id = ${String((opened as { shift_id?: number }).shift_id)}`.execute(db)
    expect(logged).toEqual([{ after: { cash: -160, reason: 'Not ripe', refused: true } }])
  })

  it('without an open shift', async () => {
    const first = await sold(honey.id, 1, 120)
    const late = await signedIn(shop, 'cashier')
    expect((await exchange(first, { ...sale(mango.id, 1, 80), ...back(honey.id, 1, { cash: 40 }) }, { who: late })).status).toBe(409)
  })

  it('beyond the refund limit of a cashier, and is recorded with a supervisor', async () => {
    const first = await sold(honey.id, 3, 360)
    const body = { ...sale(mango.id, 3, 240), ...back(honey.id, 3, { cash: 120 }) }
    const state = await rows()
    const refused = await exchange(first, body)
    expect([refused.status, refused.body.reason]).toEqual([422, 'return-approval'])
    expect(await rows()).toEqual(state)
    const manager = await signedIn(shop, 'manager')
    expect((await manager.post('/admin/quick-orders/code', { code: '403917' })).status).toBe(200)
    const { rows: found } = await sql<{ phone: string }>`select phone from users where role = 'manager' order by id desc limit 1`.execute(
      db,
    )
    const supervisor = { phone: found[0]!.phone, code: '403917' }
    const wrong = await exchange(first, { ...body, exchange: { ...body.exchange, supervisor: { ...supervisor, code: '111222' } } })
    expect(wrong.status).toBe(422)
    const done = await exchange(first, { ...body, exchange: { ...body.exchange, supervisor } })
    expect(done.status, done.text).toBe(200)
    const { rows: returns } = await sql`select approved_by is not null as approved from pos_returns where order_id = ${first}`.execute(db)
    expect(returns).toEqual([{ approved: true }])
  })
})

describe('exchanges at once', () => {
  it('of the same products: one wins, the others are told', async () => {
    const first = await sold(honey.id, 2, 240)
    const body = { ...sale(mango.id, 3, 240), ...back(honey.id, 2) }
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => exchange(first, body, { who: at % 2 ? other : cashier })))
    const wins = answers.filter(({ status }) => status === 200)
    expect(wins, answers.map(({ text }) => text).join('\n')).toHaveLength(1)
    for (const { status } of answers) expect([200, 409, 422]).toContain(status)
    expect(await stockOf(db, mango.id)).toMatchObject({ left: 7 })
  })

  it('with one key: once; another body is rejected', async () => {
    const first = await sold(honey.id, 2, 240)
    const key = crypto.randomUUID()
    const body = { ...sale(mango.id, 3, 240), ...back(honey.id, 2) }
    const answers = await Promise.all([1, 2, 3].map(() => exchange(first, body, { key })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    expect((await exchange(first, { ...body, ...back(honey.id, 1) }, { key })).status).toBe(409)
    const plain = await cashier.post('/admin/quick-orders/store', sale(mango.id, 3, 240, { cash: 240 }), {
      headers: { 'idempotency-key': key },
    })
    expect(plain.status).toBe(409)
  })
})
