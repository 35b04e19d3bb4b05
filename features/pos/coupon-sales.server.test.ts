import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { signedIn, stockOf } from '#features/orders/testing/admin-shop.ts'
import { testDb } from '#test/db.ts'
import { buildArea, buildCoupon, buildProduct } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// Coupons at the POS: the rules and the lock of web orders, in the transaction of the sale.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 80 })
const [cashier, other, viewer] = [await signedIn(shop, 'cashier'), await signedIn(shop, 'cashier'), await signedIn(shop, 'viewer')]
for (const one of [cashier, other]) await one.post('/admin/quick-orders/shift/open', { opening_cash: 1000 })

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

const PHONE = '01712345678'
const TOO_MANY = 'Too many attempts. Please wait a moment and try again.'
type Sent = Record<string, unknown>
/** Two kg for 240 taka with a coupon of 10 %. */
const sale = (coupon: unknown, more: Sent = {}) => ({
  products: [{ id: honey.id, quantity: '2', price: 120 }],
  transactions: { cash: 216, bkash: 0, bank: 0 },
  discount: 0,
  coupon,
  sub_total: 240,
  total: 216,
  customer: { phone: PHONE, name: '', email: '' },
  ...more,
})
const store = (body: unknown, key: string = crypto.randomUUID(), who = cashier) =>
  who.post('/admin/quick-orders/store', body, { headers: { 'idempotency-key': key } })
const price = (coupon: unknown, more: Sent = {}, who = cashier) =>
  who.post('/api/admin/quick-orders/coupon', { coupon, phone: PHONE, products: [{ id: honey.id, quantity: '2' }], ...more })
const count = async () => (await sql<{ n: number }>`select count(*)::int as n from orders`.execute(db)).rows[0]!.n
const usesOf = async (code: string) =>
  (
    await sql<{ order_id: number; discount: number }>`select order_id, discount_poisha as discount from coupon_uses
      where code = ${code} order by order_id`.execute(db)
  ).rows
const orderOf = async (id: number | undefined) =>
  (
    await sql`select subtotal_poisha as subtotal, shipping_poisha as shipping, discount_poisha as discount, total_poisha as total,
      ledger_balance_poisha as paid from orders where id = ${id}`.execute(db)
  ).rows[0]
/** The sale is rejected at the coupon, and nothing is written. */
async function rejected(body: unknown, text: unknown = expect.any(String)) {
  const there = await count()
  const answer = await store(body)
  expect([answer.status, answer.body.errors]).toEqual([422, { coupon: [text] }])
  expect(await count()).toBe(there)
  expect(await stockOf(db, honey.id)).toMatchObject({ left: 50 })
}

describe('a sale with a coupon', () => {
  it('has the price that the POS showed, in order, ledger, receipt and uses; the same key sells once', async () => {
    const { code } = await buildCoupon(db)
    expect(await price(` ${code.toLowerCase()} `)).toMatchObject({ status: 200, body: { code, discount: 24, delivery_saved: 0 } })
    const key = crypto.randomUUID()
    const answers = [await store(sale(code), key), await store(sale(code), key)]
    const id = answers[0]!.body.order_id
    expect(answers.map(({ status, body }) => [status, body.order_id])).toEqual([
      [200, id],
      [200, id],
    ])
    expect(await orderOf(id)).toEqual({ subtotal: 24_000, shipping: 0, discount: 2400, total: 21_600, paid: 21_600 })
    expect(await usesOf(code)).toEqual([{ order_id: id, discount: 2400 }])
    const receipt = await cashier.get(answers[0]!.body.redirect ?? '', { accept: 'text/html' })
    expect(receipt.text).toContain(`Coupon ${code}`)
  })

  it('replaces product discounts, unless they are as high', async () => {
    await db.updateTable('products').set({ discount_kind: 'percentage', discount_value: 1000 }).where('id', '=', honey.id).execute()
    const { code } = await buildCoupon(db, { percent_bp: 2500 })
    expect((await price(code)).body).toMatchObject({ discount: 36 })
    const answer = await store(
      sale(code, {
        products: [{ id: honey.id, quantity: '2', price: 108 }],
        sub_total: 216,
        total: 180,
        transactions: { cash: 180, bkash: 0, bank: 0 },
      }),
    )
    expect(await orderOf(answer.body.order_id)).toMatchObject({ subtotal: 24_000, discount: 6000, total: 18_000, paid: 18_000 })
    expect(await usesOf(code)).toEqual([{ order_id: answer.body.order_id, discount: 6000 }])
    const equal = await buildCoupon(db)
    expect((await price(equal.code)).body.errors).toEqual({ coupon: [expect.stringContaining('product discounts')] })
  })

  it('takes off the delivery charge; over the counter such a coupon has no effect', async () => {
    const { code } = await buildCoupon(db, { kind: 'free_shipping' })
    expect((await price(code)).body.errors).toEqual({ coupon: [expect.any(String)] })
    expect((await price(code, { area_id: area.id })).body).toMatchObject({ discount: 0, delivery_saved: 80 })
    const delivery = { area_id: area.id, address: 'Road 3' }
    const paid = { delivery, shipping_cost: 0, total: 240, transactions: { cash: 240, bkash: 0, bank: 0 } }
    const { body } = await store(sale(code, paid))
    expect(await orderOf(body.order_id)).toMatchObject({ shipping: 0, discount: 0, total: 24_000, paid: 24_000 })
  })

  it('refunds what was paid', async () => {
    const { code } = await buildCoupon(db)
    const { body } = await store(sale(code))
    const back = { lines: [{ product_id: honey.id, quantity: '1' }], reason: 'Broken', refund: { cash: 108, bkash: 0, bank: 0 } }
    const answer = await cashier.post(`/admin/quick-orders/return/${body.order_id}`, back, {
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)])
    const cash = await sql<{ amount: number }>`select amount_poisha as amount from ledger_entries
      where order_id = ${body.order_id} and method = 'cash' order by id`.execute(db)
    expect(cash.rows.map(({ amount }) => amount)).toEqual([21_600, -10_800])
  })
})

describe('a coupon is rejected', () => {
  it('when it is unknown, early, expired, inactive, for other products or below its minimum', async () => {
    const jam = await buildProduct(db, { coupon_applicable: true })
    before = await countStock(db)
    const day = 86_400_000
    const at = (days: number) => new Date(shop.clock.now.getTime() + days * day)
    const terms = [
      { ends_at: at(-1) },
      { starts_at: at(1) },
      { active: false },
      { scope: 'products', product_ids: [jam.id] },
      { min_subtotal_poisha: 24_001 },
    ]
    for (const one of terms) {
      const { code } = await buildCoupon(db, one)
      expect(await price(code)).toMatchObject({ status: 422, body: { errors: { coupon: [expect.any(String)] } } })
      await rejected(sale(code))
      expect(await usesOf(code)).toEqual([])
    }
    for (const code of ['NOSUCH', "'; drop", '\u0000AB', '%_%', 'ক']) {
      expect((await price(code)).status).toBe(422)
      await rejected(sale(code))
    }
    await rejected(sale('X'.repeat(41)))
    for (const code of [{}, 7, ['A']]) await rejected(sale(code))
    expect((await price('X'.repeat(100_000))).status).toBe(413)
    expect((await price('NOSUCH', { products: [] })).status).toBe(422)
    expect((await price('NOSUCH', { phone: '017' })).status).toBe(422)
  })

  it('when the customer has used it, also a merged spelling of the phone', async () => {
    const { code } = await buildCoupon(db, { max_uses_per_customer: 1 })
    expect((await store(sale(code))).status).toBe(200)
    before = await countStock(db)
    const answer = await store(sale(code, { customer: { phone: '+8801712345678' } }))
    expect(answer.body.errors).toEqual({ coupon: ['This customer has already used this coupon.'] })
    expect((await store(sale(code, { customer: { phone: '01712345679' } }))).status).toBe(200)
  })

  it('with another discount, a set price, or in the wrong role', async () => {
    const { code } = await buildCoupon(db)
    await rejected(sale(code, { discount: 1 }), 'A coupon cannot be combined with another discount.')
    await rejected(
      sale(code, { products: [{ id: honey.id, quantity: '2', price: 110, price_is_set: true }] }),
      'A coupon cannot be combined with a changed price.',
    )
    expect((await price(code, {}, viewer)).status).toBe(403)
    expect((await shop.visitor().post('/api/admin/quick-orders/coupon', {})).status).toBe(401)
  })

  it('for products on hold', async () => {
    const { code } = await buildCoupon(db)
    await db.updateTable('products').set({ status: 'hold' }).where('id', '=', honey.id).execute()
    expect((await store(sale(code))).body.errors).toEqual({ coupon: ['A coupon cannot be used for products on hold.'] })
  })
})

it('a changed coupon is a changed sum: the sale is not made at the old one', async () => {
  const { code, id } = await buildCoupon(db)
  expect((await price(code)).body).toMatchObject({ discount: 24 })
  await db.updateTable('coupons').set({ percent_bp: 500 }).where('id', '=', id).execute()
  expect(await store(sale(code))).toMatchObject({ status: 422, body: { reason: 'changed', total: 228 } })
  expect(await usesOf(code)).toEqual([])
})

it('a coupon that ended after the sale, before the network was back, is used', async () => {
  const minutesAgo = (minutes: number) => new Date(shop.clock.now.getTime() - minutes * 60_000)
  await sql`update pos_shifts set opened_at = ${minutesAgo(60)} where cashier_id = ${cashier.id}`.execute(db)
  const { code } = await buildCoupon(db, { ends_at: minutesAgo(20) })
  await rejected(sale(code))
  const sold_at = minutesAgo(30).toISOString()
  const headers = { 'idempotency-key': crypto.randomUUID(), 'x-sent-at': shop.clock.now.toISOString() }
  const { status, body } = await cashier.post('/admin/quick-orders/store', sale(code, { sold_at }), { headers })
  expect([status, body.errors]).toEqual([200, undefined])
  expect(await usesOf(code)).toEqual([{ order_id: body.order_id, discount: 2400 }])
})

it('a cashier who sends sales with 20 unknown codes waits, also with the right one; a recorded sale is answered again', async () => {
  const limited = await openShop({ databaseUrl: url, rateLimit: true })
  const guesser = await signedIn(limited, 'cashier')
  await guesser.post('/admin/quick-orders/shift/open', { opening_cash: 0 })
  const { code } = await buildCoupon(db)
  const key = crypto.randomUUID()
  const { body: sold } = await store(sale(code), key, guesser)
  for (let n = 0; n < 20; n++)
    expect((await store(sale(`GUESS${n}`), undefined, guesser)).body.errors).toEqual({ coupon: ['Invalid coupon code.'] })
  const answer = await store(sale(code), undefined, guesser)
  expect([answer.status, answer.body.errors]).toEqual([422, { coupon: [TOO_MANY] }])
  expect((await store(sale(code), key, guesser)).body.order_id).toBe(sold.order_id)
  expect((await store(sale(null, { total: 240, transactions: { cash: 240, bkash: 0, bank: 0 } }), undefined, guesser)).status).toBe(200)
  expect(limited.failures).toEqual([])
})

it('a sale without a coupon is written with none', async () => {
  const { body } = await store(sale(null, { total: 240, transactions: { cash: 240, bkash: 0, bank: 0 } }))
  expect(await orderOf(body.order_id)).toMatchObject({ discount: 0, total: 24_000 })
})

describe('concurrently', () => {
  it('two registers, one use left: one sale, one error at the coupon', async () => {
    for (let round = 0; round < 5; round++) {
      const { code } = await buildCoupon(db, { max_uses: 1 })
      const there = await count()
      const customers = [PHONE, '01712345679'].map((phone) => sale(code, { customer: { phone } }))
      const jam = await buildProduct(db, { unit: 'kg', stock_milli: 50_000, price_poisha: 12_000, coupon_applicable: true })
      before.set(jam.id, 50_000)
      // Other products: only the lock of the coupon decides.
      const bodies = [customers[0]!, { ...customers[1]!, products: [{ id: jam.id, quantity: '2', price: 120 }] }]
      const answers = await Promise.all([store(bodies[0], undefined, cashier), store(bodies[1], undefined, other)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
      const errors = answers.flatMap(({ status, body }) => (status === 422 ? [body.errors] : []))
      expect(errors).toEqual([{ coupon: ['This coupon is no longer available.'] }])
      expect([await count(), (await usesOf(code)).length]).toEqual([there + 1, 1])
    }
  })

  it('one customer at two registers, one use per customer: one sale', async () => {
    const { code } = await buildCoupon(db, { max_uses_per_customer: 1 })
    const answers = await Promise.all([cashier, other].map((who) => store(sale(code), undefined, who)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })
})
