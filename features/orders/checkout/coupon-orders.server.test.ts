import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCoupon, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'
import type { Visitor } from '#test/visitor.ts'
import { expireOrders } from '../status/expire-orders.server.ts'
import { changeOrderStatus } from '../status/change-status.server.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url, max: 24 })
const area = await buildArea(db, { produce: 60, cattle: 1500 })
const far = await buildArea(db, { produce: 200, cattle: 2500 })
// 120 taka per kg, with a product discount of 10 %.
const mango = await buildProduct(db, { coupon_applicable: true, discount_kind: 'percentage', discount_value: 1000 })
const rice = await buildProduct(db)
const clerk = { kind: 'staff', id: (await buildUser(db, { role: 'sales' })).id, ip: '' } as const
const CASH = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const ONCE = { max_uses: 1, percent_bp: 2000 }
afterAll(() => expect(shop.failures).toEqual([]))
afterEach(() => expectInvariants(db))

async function someone(overrides: Record<string, unknown> = {}): Promise<Visitor & { user: { id: number; phone: string } }> {
  const user = await buildUser(db, overrides)
  const visitor = shop.visitor()
  await visitor.signIn(user.phone)
  return Object.assign(visitor, { user })
}
type Lines = [productId: number, quantity: number][]
/** The body of an order of ten kg of mangoes with a coupon. */
function order(code: string | null, overrides: Record<string, unknown> = {}, lines: Lines = [[mango.id, 10]]) {
  const body = orderBody(area.id, lines, { ...CASH, couponDiscountAmount: null, couponFreeShipping: null, ...overrides })
  return { ...body, products: body.products.map((line) => ({ ...line, coupon: code })) }
}
interface StoredOrder {
  customer_id: number
  subtotal_poisha: number
  shipping_poisha: number
  discount_poisha: number
  total_poisha: number
  code: string | null
  taken: number | null
  saved: number | null
  released_at: Date | null
  line: number
}
async function storedOrder(id: number | undefined): Promise<StoredOrder | undefined> {
  const { rows } = await sql<StoredOrder>`
    select o.customer_id, subtotal_poisha, shipping_poisha, o.discount_poisha, total_poisha, u.code, u.discount_poisha as taken, u.delivery_saved_poisha as saved,
      u.released_at, (select sum(line_total_poisha) from order_lines where order_id = o.id)::bigint as line
    from orders o left join coupon_uses u on u.order_id = o.id where o.id = ${id ?? 0}`.execute(db)
  return rows[0]
}
const usesOf = async (code: string) =>
  (await sql<{ uses: number }>`select uses from coupons where code = ${code}`.execute(db)).rows[0]?.uses
const countOrders = async () => (await sql<{ n: number }>`select count(*)::int as n from orders`.execute(db)).rows[0]?.n

describe('an order with a coupon that the admin changes', () => {
  it('a lower discount lowers the coupon use; a higher one does not raise it', async () => {
    const manager = await someone({ role: 'manager' })
    const { code } = await buildCoupon(db, { percent_bp: 2000 })
    const { body } = await (await someone()).post('/customer-orders', order(code, { couponDiscountAmount: 240, totalProductDiscount: 120 }))
    const edit = async (changes: object) => {
      const answer = await manager.post(`/admin/orders/update/${body.order_id}`, { address: 'House 12', ...changes })
      expect(answer.status).toBe(200)
      await expectInvariants(db)
      return storedOrder(body.order_id)
    }
    expect(await edit({ discount: 300 })).toMatchObject({ discount_poisha: 30_000, taken: 24_000 })
    expect(await edit({ discount: 100 })).toMatchObject({ discount_poisha: 10_000, taken: 10_000 })
    expect(await edit({ products: [{ product_id: mango.id, quantity: 5 }] })).toMatchObject({ discount_poisha: 10_000, taken: 10_000 })
    expect(await edit({ discount: 0 })).toMatchObject({ discount_poisha: 0, taken: 0 })
    expect(await usesOf(code)).toBe(1)
  })

  it('free delivery stays recorded when a price changes; a charge lowers what it saved', async () => {
    const manager = await someone({ role: 'manager' })
    const { code } = await buildCoupon(db, { kind: 'free_shipping' })
    const sent = order(code, { couponDiscountAmount: 0, couponFreeShipping: 60, totalProductDiscount: 120 })
    const { body } = await (await someone()).post('/customer-orders', sent)
    for (const changes of [{ discount: 50 }, { shipping_cost: 40 }, { discount: 0 }])
      expect((await manager.post(`/admin/orders/update/${body.order_id}`, { address: 'House 12', ...changes })).status).toBe(200)
    expect(await storedOrder(body.order_id)).toMatchObject({ taken: 0, saved: 2000, released_at: null })
  })

  it.each([
    [0, 0],
    [2000, 2000],
    // At most the charge of the area.
    [500_000, null],
  ])('free delivery with a rest of %i poisha also applies in another area', async (value_poisha, shipping) => {
    const manager = await someone({ role: 'manager' })
    const { code } = await buildCoupon(db, { kind: 'free_shipping', value_poisha })
    const { body } = await (await someone()).post('/customer-orders', order(code, shipping === null ? {} : { couponFreeShipping: true }))
    const answer = await manager.post(`/admin/orders/update/${body.order_id}`, { address: 'House 12', area_id: far.id })
    expect(answer.status).toBe(200)
    expect(await storedOrder(body.order_id)).toMatchObject({ shipping_poisha: shipping ?? 20_000 })
  })
})

describe('an order with a coupon', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, Partial<StoredOrder>]>([
    [
      'a percentage takes the place of the product discount',
      { percent_bp: 2000 },
      { couponDiscountAmount: 240, totalProductDiscount: 120 },
      { discount_poisha: 24_000, total_poisha: 102_000, taken: 24_000, saved: 0, line: 120_000 },
    ],
    [
      'a percentage with a cap',
      { percent_bp: 5000, max_discount_poisha: 15_000 },
      { couponDiscountAmount: 150 },
      { discount_poisha: 15_000, taken: 15_000 },
    ],
    [
      'free delivery keeps the product discount',
      { kind: 'free_shipping' },
      { couponDiscountAmount: 0, couponFreeShipping: 60, totalProductDiscount: 120 },
      { discount_poisha: 12_000, shipping_poisha: 0, total_poisha: 108_000, taken: 0, saved: 6000, line: 108_000 },
    ],
    [
      'cheaper delivery, said as a flag',
      { kind: 'free_shipping', value_poisha: 2000 },
      { couponFreeShipping: true },
      { shipping_poisha: 2000, total_poisha: 110_000, taken: 0, saved: 4000 },
    ],
    [
      'a fixed sum',
      { kind: 'others', value_poisha: 30_050 },
      { couponDiscountAmount: 300.5 },
      { discount_poisha: 30_050, total_poisha: 95_950, taken: 30_050 },
    ],
    [
      'a fixed amount above the subtotal',
      { kind: 'others', value_poisha: 900_000 },
      { couponDiscountAmount: 1200 },
      { discount_poisha: 120_000, total_poisha: 6000 },
    ],
    [
      'what is worth less than the product discount is not used',
      { percent_bp: 100 },
      { couponDiscountAmount: 0, totalProductDiscount: 120 },
      { discount_poisha: 12_000, total_poisha: 114_000, code: null },
    ],
    [
      'what is worth the same as the product discount is not used',
      { percent_bp: 1000 },
      { couponDiscountAmount: 0, totalProductDiscount: 120 },
      { discount_poisha: 12_000, total_poisha: 114_000, code: null },
    ],
    [
      'delivery that is no cheaper is not used',
      { kind: 'free_shipping', value_poisha: 6000 },
      { couponFreeShipping: 0 },
      { shipping_poisha: 6000, code: null },
    ],
  ])('%s', async (_name, terms, sent, expected) => {
    const coupon = await buildCoupon(db, terms)
    const buyer = await someone()
    const answer = await buyer.post('/customer-orders', order(coupon.code, sent))
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    const found = await storedOrder(answer.body.order_id)
    expect(found).toMatchObject({ customer_id: buyer.user.id, subtotal_poisha: 120_000, code: coupon.code, ...expected })
    expect(await usesOf(coupon.code)).toBe(found?.code === null ? 0 : 1)
  })

  it('the same request twice is one order and one use', async () => {
    const { code } = await buildCoupon(db, { ...ONCE, max_uses_per_customer: 1 })
    const buyer = await someone()
    const body = order(code)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => buyer.post('/customer-orders', body, { key: 'one-and-the-same-key' })),
    )
    const later = await buyer.post('/customer-orders', body, { key: 'one-and-the-same-key' })
    expect(new Set([...answers, later].map((answer) => `${answer.status} ${answer.body.order_id}`)).size).toBe(1)
    expect([answers[0]?.status, await usesOf(code)]).toEqual([200, 1])
  })

  it('the invoice shows the code', async () => {
    const { code } = await buildCoupon(db, { percent_bp: 2000 })
    const buyer = await someone({ phone_verified_at: new Date() })
    const { body } = await buyer.post('/customer-orders', order(code))
    const page = await buyer.get(`/invoice/${body.order_id}`, { accept: 'text/html' })
    expect([page.status, page.text.includes(`Coupon ${code}`)]).toEqual([200, true])
  })

  it('works with all payment methods', async () => {
    const { code } = await buildCoupon(db, { percent_bp: 2000 })
    const buyer = await someone()
    const pay = (overrides: Record<string, unknown>) =>
      buyer.post('/customer-orders', order(code, { payment_gateway: 'pgw', ...overrides }))
    const full = await pay({ payment_type: 'full', payable_amount: 1020 })
    expect([full.status, typeof full.body.redirect_url]).toEqual([200, 'string'])
    const part = await pay({ payment_type: 'partial', payable_amount: 120, partial_payment: 120 })
    expect([part.status, typeof part.body.redirect_url]).toEqual([200, 'string'])
    const cow = await buildAnimal(db, { coupon_applicable: true })
    const lines: Lines = [[cow.id, 1]]
    const byHand = await buyer.post(
      '/customer-orders',
      order(code, { payment_type: 'partial', payable_amount: 10_000, partial_payment: 10_000 }, lines),
    )
    expect([byHand.status, await storedOrder(byHand.body.order_id)]).toEqual([
      200,
      expect.objectContaining({ taken: 2_200_000, total_poisha: 8_950_000 }),
    ])
    const gift = await buildCoupon(db, { kind: 'others', value_poisha: 999_999 })
    const free = await buildArea(db, { produce: 0 })
    const nothing = order(gift.code, { payment_type: 'full', payable_amount: 0, is_free_order: true })
    nothing.customer.area_id = free.id
    expect(await buyer.post('/customer-orders', nothing)).toMatchObject({ status: 200, body: { order_id: expect.any(Number) } })
  })
})

describe('a rejected order writes nothing', () => {
  it.each<[string, Record<string, unknown> | null, Record<string, unknown>, Record<string, RegExp>]>([
    ['no such code', null, {}, { coupon: /Invalid coupon code/ }],
    ['expired', { ends_at: '2020-01-01' }, {}, { coupon: /expired/ }],
    ['used up', { max_uses: 1, uses: 1 }, {}, { coupon: /no longer available/ }],
    ['a subtotal below the minimum', { min_subtotal_poisha: 120_001 }, {}, { coupon: /৳1,200.01 or more/ }],
    ['for other products', { scope: 'products', product_ids: [rice.id] }, {}, { coupon: /doesn’t apply/ }],
    ['a discount above the coupon’s', { percent_bp: 2000 }, { couponDiscountAmount: 241 }, { payable_amount: /The total is now ৳1,020/ }],
    ['free delivery from a percentage', { percent_bp: 2000 }, { couponFreeShipping: true }, { payable_amount: /The total is now/ }],
    ['free delivery of another amount', { kind: 'free_shipping' }, { couponFreeShipping: 61 }, { payable_amount: /The total is now/ }],
    [
      'a discount that was shown before the coupon became worse',
      { percent_bp: 100 },
      { couponDiscountAmount: 12 },
      { payable_amount: /The total is now/ },
    ],
    ['an old total', { percent_bp: 2000 }, { expected_total: 1140 }, { payable_amount: /The total is now ৳1,020/ }],
  ])('%s: 422', async (_name, terms, sent, errors) => {
    const { uses = 0, ...given } = terms ?? {}
    const code = terms === null ? 'NOSUCHCODE' : (await buildCoupon(db, { ...given, uses })).code
    const before = await countOrders()
    const answer = await (await someone()).post('/customer-orders', order(code, sent))
    const expected = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [expect.stringMatching(text)]]))
    expect([answer.status, answer.body.errors]).toEqual([422, expected])
    expect(await countOrders()).toBe(before)
    // The uses that the setup claimed have no orders.
    if (uses) await sql`update coupons set uses = 0 where code = ${code}`.execute(db)
  })

  it('a guest with a code, and two codes in one order', async () => {
    const [one, two] = [await buildCoupon(db), await buildCoupon(db)]
    const before = await countOrders()
    const guest = await shop.post('/customer-orders', order(one.code))
    expect([guest.status, guest.body.errors]).toEqual([422, { coupon: ['You need to log in or register to apply a coupon.'] }])
    const body = order(one.code, {}, [
      [mango.id, 10],
      [rice.id, 1],
    ])
    body.products[1]!.coupon = two.code
    const both = await (await someone()).post('/customer-orders', body)
    expect([both.status, both.body.errors]).toEqual([422, { coupon: ['Only one coupon can be used per order.'] }])
    expect(await countOrders()).toBe(before)
  })

  it('the uses of one customer do not count for another', async () => {
    const { code } = await buildCoupon(db, { max_uses_per_customer: 1, percent_bp: 2000 })
    const [one, other] = [await someone(), await someone()]
    expect((await one.post('/customer-orders', order(code))).status).toBe(200)
    expect((await one.post('/customer-orders', order(code))).body.errors).toEqual({ coupon: ['You have already used this coupon.'] })
    expect((await other.post('/customer-orders', order(code))).status).toBe(200)
    expect(await usesOf(code)).toBe(2)
  })
})

describe('a use is released', () => {
  it('when the order expires', async () => {
    const { code } = await buildCoupon(db, ONCE)
    const [one, other] = [await someone(), await someone()]
    const unpaid = { payment_type: 'full', payment_gateway: 'pgw' }
    const { body } = await one.post('/customer-orders', order(code, unpaid))
    expect((await other.post('/customer-orders', order(code))).status).toBe(422)
    shop.clock.now = new Date(shop.clock.now.getTime() + 2 * 3_600_000)
    await expireOrders({ ...shop.deps, catalogChanged: () => {} })
    expect([await usesOf(code), (await storedOrder(body.order_id))?.released_at]).toEqual([0, shop.clock.now])
    expect((await other.post('/customer-orders', order(code))).status).toBe(200)
  })
  it('when the order is cancelled; a reopened order uses it again if one is left', async () => {
    const { code } = await buildCoupon(db, { max_uses: 2, percent_bp: 2000 })
    const [one, other, third] = [await someone(), await someone(), await someone()]
    const { body } = await one.post('/customer-orders', order(code))
    const statusDeps = { db, now: () => shop.clock.now, shopCache: shop.deps.shopCache, env: shop.deps.env, catalogChanged: () => {} }
    const move = (to: 'cancelled' | 'placed') =>
      changeOrderStatus(statusDeps, body.order_id ?? 0, { to, reason: 'By mistake', version: null, mayReopen: true }, clerk)
    expect([(await move('cancelled')).ok, await usesOf(code)]).toEqual([true, 0])
    expect([(await move('placed')).ok, await usesOf(code)]).toEqual([true, 1])
    expect([(await move('cancelled')).ok, await usesOf(code)]).toEqual([true, 0])
    for (const who of [other, third]) expect((await who.post('/customer-orders', order(code))).status).toBe(200)
    expect([(await move('placed')).ok, await usesOf(code)]).toEqual([true, 2])
    expect(await storedOrder(body.order_id)).toMatchObject({ code, released_at: shop.clock.now })
  })
})
