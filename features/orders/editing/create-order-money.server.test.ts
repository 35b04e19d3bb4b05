import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { formatTaka, poisha } from '#lib/format/money.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCoupon, buildProduct, buildUser } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import { pageProps } from '#test/page-props.ts'
import { signedIn, stockOf, storeBody } from '../testing/admin-shop.ts'

// Phone orders with a coupon, a payment and a delivery day, each in the transaction of the order.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, max: 24 })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const [owner, manager, sales, cashier, viewer] = await Promise.all([
  signedIn(shop, 'owner'),
  signedIn(shop, 'manager'),
  signedIn(shop, 'sales'),
  signedIn(shop, 'cashier'),
  signedIn(shop, 'viewer'),
])

let honey: { id: number }
let before = new Map<number, number>()
beforeEach(async () => {
  honey = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 12_000, coupon_applicable: true })
  before = await countStock(db)
})
afterEach(async () => {
  await expectInvariants(db, before)
  expect(shop.failures).toEqual([])
})

type Sent = Record<string, unknown>
/** Two kg for 240 taka and a delivery for 80. */
const phoneOrder = (more: Sent = {}) => storeBody(area.id, [[honey.id, 2]], more)
const store = (body: unknown, { who = sales, key = crypto.randomUUID() as string } = {}) =>
  who.post('/admin/orders/store', body, { headers: { 'idempotency-key': key } })
const one = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(db)).rows[0]!
const money = (id: number | undefined) =>
  one(sql<{ total: number; shipping: number; discount: number; due: number }>`
    select total_poisha as total, shipping_poisha as shipping, discount_poisha as discount, amount_due(orders) as due from orders where id = ${id}`)
const entries = async (id: number | undefined) =>
  (await sql`select kind, method, amount_poisha as amount, reference, actor_id from ledger_entries where order_id = ${id}`.execute(db)).rows
const countOrders = async () => (await one(sql<{ n: number }>`select count(*)::int as n from orders`)).n
const usesOf = async (code: string) => (await one(sql<{ uses: number }>`select uses from coupons where code = ${code}`)).uses
let lastId = 0
const transaction = () => `TRX${String((lastId += 1)).padStart(7, '0')}`

describe('a payment with the order', () => {
  it('is an advance in the ledger with timeline, audit log and SMS, and sells a covered animal', async () => {
    const cow = await buildAnimal(db)
    before = await countStock(db)
    const reference = transaction()
    const paid = { advance_amount: '20000', advance_method: 'bkash', advance_transaction: ` ${reference.toLowerCase()} ` }
    const answer = await store(storeBody(area.id, [[cow.id, 1]], paid))
    expect(answer.status, answer.text).toBe(200)
    const id = answer.body.order_id
    expect(await entries(id)).toEqual([{ kind: 'advance', method: 'bkash', amount: 2_000_000, reference, actor_id: sales.id }])
    const { total, due } = await money(id)
    expect(due).toBe(total - 2_000_000)
    expect((await stockOf(db, cow.id)).status).toBe('sold')
    const { rows } = await sql`select kind from order_events where order_id = ${id} order by id`.execute(db)
    expect(rows).toEqual([{ kind: 'placed' }, { kind: 'payment-recorded' }])
    const sms = await sql<{ template: string; body: string }>`
      select template, body from sms_outbox where order_id = ${id} order by id`.execute(db)
    expect(sms.rows.map(({ template }) => template)).toEqual(['order-placed', expect.stringMatching(/^payment-recorded-/)])
    // Both name what is due after the payment.
    for (const { body } of sms.rows) expect(body).toContain(`বাকি ${formatTaka(poisha(due), 'bn')}`)
    const log = await sql`select action from audit_log where subject = 'order' and subject_id = ${String(id)} order by id`.execute(db)
    expect(log.rows).toEqual([{ action: 'created' }, { action: 'paid' }])
  })

  it('in cash needs no transaction id; nothing typed and zero record nothing', async () => {
    const cash = await store(phoneOrder({ advance_amount: 320, advance_method: 'cash', advance_transaction: '' }))
    expect(await entries(cash.body.order_id)).toMatchObject([{ kind: 'advance', method: 'cash', amount: 32_000, reference: null }])
    expect(await money(cash.body.order_id)).toMatchObject({ due: 0 })
    for (const amount of ['', null, 0, '০']) {
      const answer = await store(phoneOrder({ advance_amount: amount, advance_method: 'bkash' }))
      expect([answer.status, await entries(answer.body.order_id)]).toEqual([200, []])
    }
  })

  it.each<[string, Sent, string]>([
    ['more than the total', { advance_amount: 320.01 }, 'advance_amount'],
    ['below zero', { advance_amount: -1 }, 'advance_amount'],
    ['no amount', { advance_amount: 'much' }, 'advance_amount'],
    ['a huge amount', { advance_amount: 1e30 }, 'advance_amount'],
    ['a list', { advance_amount: [1] }, 'advance_amount'],
    ['an unknown method', { advance_amount: 10, advance_method: 'gold' }, 'advance_method'],
    ['no transaction id', { advance_amount: 10, advance_method: 'bkash' }, 'advance_transaction'],
    ['markup as transaction id', { advance_amount: 10, advance_method: 'nagad', advance_transaction: "<b>'" }, 'advance_transaction'],
    [
      'an endless transaction id',
      { advance_amount: 10, advance_method: 'bank', advance_transaction: 'A'.repeat(5000) },
      'advance_transaction',
    ],
    ['a cancelled order', { advance_amount: 10, status: 'cancelled', reason: 'Written down' }, 'advance_amount'],
  ])('is rejected at its field, and nothing is written: %s', async (_what, more, field) => {
    const orders = await countOrders()
    const answer = await store(phoneOrder(more))
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]])
    expect(await countOrders()).toBe(orders)
  })

  it('with a used transaction id is rejected at the field; of ten at once one order is written', async () => {
    const paid = () => ({ advance_amount: 100, advance_method: 'bkash', advance_transaction: reference })
    const reference = transaction()
    const orders = await countOrders()
    const answers = await Promise.all(Array.from({ length: 10 }, () => store(phoneOrder(paid()))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(422)])
    for (const answer of answers.filter(({ status }) => status === 422))
      expect(answer.body.errors).toEqual({ advance_transaction: ['This transaction ID has already been submitted.'] })
    expect(await countOrders()).toBe(orders + 1)
  })

  it('repeated under its key is one order and one payment', async () => {
    const key = crypto.randomUUID()
    const body = phoneOrder({ advance_amount: 100, advance_method: 'nagad', advance_transaction: transaction() })
    const orders = await countOrders()
    const answers = await Promise.all(Array.from({ length: 5 }, () => store(body, { key })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.order_id}`)).size).toBe(1)
    expect(await countOrders()).toBe(orders + 1)
    expect(await entries(answers[0]!.body.order_id)).toHaveLength(1)
  })

  it('decides the waiting report of another order, as the advance desk does', async () => {
    const reference = transaction()
    const other = (await store(phoneOrder())).body.order_id
    await sql`insert into advance_reports (order_id, method, transaction_id, sender, amount_poisha)
      values (${other}, 'bkash', ${reference}, '01711000009', 10000)`.execute(db)
    const answer = await store(phoneOrder({ advance_amount: 100, advance_method: 'bkash', advance_transaction: reference }))
    expect(answer.status, answer.text).toBe(200)
    expect(await one(sql`select state from advance_reports where order_id = ${other}`)).toEqual({ state: 'refused' })
  })
})

describe('a coupon of a phone order', () => {
  it('takes off what it takes off on the web, and its use is counted', async () => {
    const { code } = await buildCoupon(db, { percent_bp: 1000 })
    const answer = await store(phoneOrder({ coupon: ` ${code.toLowerCase()} ` }))
    expect(answer.status, answer.text).toBe(200)
    expect(await money(answer.body.order_id)).toEqual({ total: 29_600, shipping: 8000, discount: 2400, due: 29_600 })
    expect(await usesOf(code)).toBe(1)
    expect(await one(sql`select order_id, discount_poisha::int as discount from coupon_uses where code = ${code}`)).toEqual({
      order_id: answer.body.order_id,
      discount: 2400,
    })
  })

  it('for the delivery lowers the charge of the area, never a typed one', async () => {
    const { code } = await buildCoupon(db, { kind: 'free_shipping', value_poisha: 0 })
    const answer = await store(phoneOrder({ coupon: code }))
    expect(answer.status, answer.text).toBe(200)
    expect(await money(answer.body.order_id)).toMatchObject({ total: 24_000, shipping: 0 })
    const typed = await store(phoneOrder({ coupon: code, shipping_cost: 500 }))
    expect([typed.status, Object.keys(typed.body.errors ?? {})]).toEqual([422, ['shipping_cost']])
  })

  it.each<[string, (code: string) => Sent, typeof sales]>([
    ['an unknown code', () => ({ coupon: 'NOSUCHCODE' }), sales],
    ['markup', () => ({ coupon: '<script>' }), sales],
    ['an endless code', () => ({ coupon: 'A'.repeat(5000) }), sales],
    ['a list', (code) => ({ coupon: [code] }), sales],
    ['with another discount', (code) => ({ coupon: code, discount: 10 }), manager],
    ['with another price', (code) => ({ coupon: code, products: [{ product_id: honey.id, quantity: 2, price_on_order: 100 }] }), manager],
    ['on a cancelled order', (code) => ({ coupon: code, status: 'cancelled', reason: 'Written down' }), sales],
  ])('is rejected at its field, and nothing is written: %s', async (_what, more, who) => {
    const { code } = await buildCoupon(db)
    const orders = await countOrders()
    const answer = await store(phoneOrder(more(code)), { who })
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['coupon']])
    expect([await countOrders(), await usesOf(code)]).toEqual([orders, 0])
  })

  it('with one use left: of ten clerks at once one gets it, and the others write neither order nor payment', async () => {
    const { code } = await buildCoupon(db, { max_uses: 1 })
    const orders = await countOrders()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        store(
          phoneOrder({
            phone: `0171300000${index}`,
            coupon: code,
            advance_amount: 50,
            advance_method: 'bkash',
            advance_transaction: transaction(),
          }),
        ),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(422)])
    for (const answer of answers.filter(({ status }) => status === 422)) expect(Object.keys(answer.body.errors ?? {})).toEqual(['coupon'])
    expect([await countOrders(), await usesOf(code)]).toEqual([orders + 1, 1])
    // The rejected ones may send the same transaction again.
    expect((await one(sql<{ n: number }>`select count(*)::int as n from ledger_entries where amount_poisha = 5000`)).n).toBe(1)
  })

  it('repeated under its key counts one use', async () => {
    const { code } = await buildCoupon(db, { max_uses: 1 })
    const key = crypto.randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, () => store(phoneOrder({ coupon: code }), { key })))
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(5).fill(200))
    expect(await usesOf(code)).toBe(1)
  })

  it('used up by a customer is refused at once for the number of one that was merged into it', async () => {
    const { code } = await buildCoupon(db, { percent_bp: 1000, max_uses_per_customer: 1 })
    const customer = await buildUser(db, { role: 'customer' })
    const merged = await buildUser(db, { role: 'customer', merged_into: customer.id, merged_at: new Date(), disabled_at: new Date() })
    expect((await store(phoneOrder({ coupon: code, phone: merged.phone }))).status).toBe(200)
    const products = [{ product_id: honey.id, quantity: '2' }]
    for (const phone of [merged.phone, customer.phone])
      expect(await sales.post('/api/admin/orders/coupon', { coupon: code, phone, area_id: area.id, products })).toMatchObject({
        status: 422,
      })
  })

  it('is priced before the order is written, without counting a use', async () => {
    const { code } = await buildCoupon(db, { percent_bp: 1000 })
    const body = { coupon: code, phone: '01712345678', area_id: area.id, products: [{ product_id: honey.id, quantity: '2' }] }
    const price = (more: Sent = {}, who = sales) => who.post('/api/admin/orders/coupon', { ...body, ...more })
    expect(await price()).toMatchObject({ status: 200, body: { code, discount: 24, delivery_saved: 0 } })
    expect(await usesOf(code)).toBe(0)
    for (const more of [{ coupon: 'NOSUCHCODE' }, { products: [] }, { phone: '12' }, { coupon: 7 }, { products: [{ product_id: 'x' }] }])
      expect((await price(more)).status).toBe(422)
    for (const who of [cashier, viewer]) expect((await price({}, who)).status).toBe(403)
    expect((await shop.visitor().post('/api/admin/orders/coupon', body)).status).toBe(401)
  })
})

describe('the delivery day', () => {
  it('not chosen is the first day on which the shop delivers', async () => {
    const days = async (closed_weekdays: number[]) => {
      const { collection, delivery_days } = DEFAULT_SETTINGS
      const page = (await owner.get('/admin/settings?part=delivery', { accept: 'text/html' })).text
      const { settingsHash } = pageProps<{ now: { settingsHash: string } }>(page).now
      const body = { delivery_days: { ...delivery_days, closed_weekdays }, collection, settingsHash }
      expect((await owner.post('/admin/settings/delivery', body)).status).toBe(200)
      const answer = await store(phoneOrder())
      expect(answer.status, answer.text).toBe(200)
      return (await one(sql<{ list_on: string }>`select list_on from orders where id = ${answer.body.order_id}`)).list_on
    }
    const usual = await days([])
    const weekday = new Date(usual).getUTCDay()
    const next = await days([weekday])
    expect(next > usual).toBe(true)
    await days([])
  })
})

describe('customers for a new order', () => {
  it('are found by name and phone, by staff who write orders only', async () => {
    const customer = await buildUser(db, { role: 'customer', name: 'Shirin Akter' })
    const find = (q: string, who = sales) => who.get(`/api/admin/orders/customers?q=${encodeURIComponent(q)}`)
    for (const q of ['shirin', customer.phone])
      expect((await find(q)).body).toMatchObject({ customers: [{ id: customer.id, name: 'Shirin Akter', phone: customer.phone }] })
    for (const q of ['', ' ', "'", '%', '<script>', '\u0000']) expect((await find(q)).status).toBeLessThan(500)
    expect((await find('x'.repeat(5000))).status).toBe(422)
    expect((await find('shirin', cashier)).status).toBe(403)
    expect((await find('shirin', viewer)).status).toBe(403)
  })
})
