import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { translate } from '#lib/i18n/translate.ts'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildCategory, buildCoupon, buildProduct, buildUser, orderBody } from '#test/factories.ts'
import { openShop } from '#test/request.ts'
import type { Answer } from '#test/visitor.ts'

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { produce: 60 })
const fruits = await buildCategory(db)
const mango = await buildProduct(db, { coupon_applicable: true, category_id: fruits.id, discount_kind: 'percentage', discount_value: 500 })
const rice = await buildProduct(db, { coupon_applicable: true })
const gift = await buildProduct(db, { coupon_applicable: false })
const cow = await buildAnimal(db, { coupon_applicable: false })
const customer = await buildUser(db)
const buyer = shop.visitor()
await buyer.signIn(customer.phone)
afterAll(() => expect(shop.failures).toEqual([]))

type Validated = { message: string; error?: string; order: Record<string, unknown> }
type Checked = Answer & { body: Validated }
async function validate(code: unknown, items: [number, number][] = [[mango.id, 10]], more: object = {}): Promise<Checked> {
  const cart_items = items.map(([product_id, quantity]) => ({ product_id, quantity }))
  return (await buyer.post('/coupons/validate', { code, cart_items, is_new_customer: false, ...more })) as Checked
}
const refusal = async (code: unknown, items?: [number, number][]) => {
  const response = await validate(code, items)
  expect(response.body.error).toBe(response.body.message)
  return [response.status, response.body.error]
}

describe('the response has the specified shape', () => {
  const rest = { is_new_customer: true, minimum_amount: 0, applicable_to: 'all', coupon_scope: 'all' }
  it('of a percentage with a cap, for any spelling of the code', async () => {
    const { code } = await buildCoupon(db, { percent_bp: 1250, max_discount_poisha: 10_000 })
    const response = await validate(` ${code.toLowerCase()} `)
    expect([response.status, response.body]).toEqual([
      200,
      {
        message: 'Coupon applied successfully!',
        order: {
          ...rest,
          code,
          coupon_percentage: 12.5,
          max_discount_amount: 100,
          applicable_products: [],
          coupon_discount_type: 'percentage',
          coupon_value: 0,
          applies_to_all: true,
          coupon_discount: 100,
        },
      },
    ])
  })
  it.each([
    ['a percentage worth less than the product discount', { percent_bp: 100 }, 'coupon.discounts-better'],
    ['a percentage worth as much', { percent_bp: 500 }, 'coupon.discounts-better'],
    ['a percentage worth more', { percent_bp: 600 }, 'coupon.applied'],
    ['delivery at the price it has', { kind: 'free_shipping', value_poisha: 8000 }, 'coupon.no-effect'],
    ['cheaper delivery', { kind: 'free_shipping', value_poisha: 7999 }, 'coupon.applied'],
  ] as const)('%s has a message about its effect', async (_name, terms, message) => {
    const { code } = await buildCoupon(db, terms)
    const response = await validate(code)
    expect([response.status, response.body.message, response.body.order.code]).toEqual([200, translate('en')(message), code])
  })
  it('of cheaper delivery for listed products', async () => {
    const { code } = await buildCoupon(db, { kind: 'free_shipping', value_poisha: 3050, scope: 'products', product_ids: [cow.id, rice.id] })
    expect((await validate(code, [[cow.id, 1]])).body.order).toMatchObject({
      coupon_discount_type: 'free_shipping',
      coupon_value: 30.5,
      coupon_percentage: 0,
      max_discount_amount: null,
      applies_to_all: false,
      applicable_products: [rice.id, cow.id],
      coupon_scope: 'products',
      coupon_discount: 0,
    })
  })
  it('of a fixed amount for a category: lists the products of the cart in that category', async () => {
    const { code } = await buildCoupon(db, { kind: 'others', value_poisha: 20_000, scope: 'categories', category_ids: [fruits.id] })
    expect(
      (
        await validate(code, [
          [mango.id, 10],
          [rice.id, 1],
        ])
      ).body.order,
    ).toMatchObject({
      coupon_discount_type: 'others',
      coupon_value: 200,
      applies_to_all: false,
      applicable_products: [mango.id],
      coupon_scope: 'categories',
    })
  })
  it('where the product discounts are higher it is accepted without a discount', async () => {
    const { code } = await buildCoupon(db, { percent_bp: 100 })
    expect((await validate(code)).body.order).toMatchObject({ coupon_percentage: 1, coupon_discount: 0 })
  })
  it('is_new_customer of the request is ignored', async () => {
    const { code } = await buildCoupon(db, { first_order_only: true })
    const other = await buildUser(db)
    expect((await validate(code, undefined, { is_new_customer: false })).body.order).toMatchObject({
      is_new_customer: true,
      applicable_to: 'new_customers',
    })
    const otherBuyer = shop.visitor()
    await otherBuyer.signIn(other.phone)
    const body = orderBody(area.id, [[rice.id, 1]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
    expect((await otherBuyer.post('/customer-orders', body)).status).toBe(200)
    const response = await otherBuyer.post('/coupons/validate', {
      code,
      cart_items: [{ product_id: mango.id, quantity: 1 }],
      is_new_customer: true,
    })
    expect([response.status, response.body.error]).toEqual([400, 'This coupon is for first orders only.'])
  })
})

describe('rejections, as 400 with a message', () => {
  const day = 86_400_000
  const at = (days: number) => new Date(shop.clock.now.getTime() + days * day)
  it.each<[string, Record<string, unknown>, string]>([
    ['expired', { ends_at: at(-1) }, 'This coupon has expired.'],
    ['too early', { starts_at: at(1) }, 'This coupon is not active yet.'],
    ['switched off', { active: false }, 'Invalid coupon code.'],
    ['used up', { max_uses: 3, uses: 3 }, 'This coupon is no longer available.'],
    ['too few goods', { min_subtotal_poisha: 120_001 }, 'This coupon needs an order of ৳1,200.01 or more.'],
    ['other products', { scope: 'products', product_ids: [rice.id] }, 'This coupon doesn’t apply to any item in your cart.'],
    ['another category', { scope: 'categories', category_ids: [] }, 'This coupon doesn’t apply to any item in your cart.'],
  ])('%s', async (_name, terms, text) => {
    const { code } = await buildCoupon(db, terms)
    expect(await refusal(code, [[mango.id, 10]])).toEqual([400, text])
  })
  it('no product for coupons, no known product, an impossible quantity', async () => {
    const { code } = await buildCoupon(db)
    const text = 'This coupon doesn’t apply to any item in your cart.'
    for (const items of [[[gift.id, 1]], [[999_999, 1]], [[mango.id, 0.0001]], []] as [number, number][][])
      expect(await refusal(code, items)).toEqual([400, text])
  })
  it.each(['NOSUCH', 'two words', '%00', 'EID\u0000', "' or 1=1 --", '', ' ', 'x'.repeat(10_000), '\ud800', '{{7*7}}'])(
    'an invalid code (%#)',
    async (code) => {
      expect(await refusal(code)).toEqual([400, 'Invalid coupon code.'])
    },
  )
  it.each<[string, object]>([
    ['no code', { code: undefined }],
    ['a code that is no text', { code: ['EID'] }],
    ['no cart', { cart_items: undefined }],
    ['a cart of 101', { cart_items: Array.from({ length: 101 }, () => ({ product_id: mango.id, quantity: 1 })) }],
    ['a quantity in words', { cart_items: [{ product_id: mango.id, quantity: '1' }] }],
    ['a negative quantity', { cart_items: [{ product_id: mango.id, quantity: -1 }] }],
  ])('422 for %s', async (_name, more) => {
    expect((await validate('EID', [], more)).status).toBe(422)
  })
  it('a guest gets 401', async () => {
    const response = await shop.post('/coupons/validate', { code: 'EID', cart_items: [], is_new_customer: false })
    expect([response.status, response.body.error]).toEqual([401, 'You need to log in or register to apply a coupon.'])
  })
  it('has Bengali messages', async () => {
    const { code } = await buildCoupon(db, { min_subtotal_poisha: 150_000 })
    buyer.cookies.set('lang', 'bn')
    const response = await validate(code)
    buyer.cookies.delete('lang')
    expect(response.body.error).toBe('এই কুপন ৳১,৫০০ বা তার বেশি অর্ডারের জন্য।')
  })
  it('the database rejects impossible coupons', async () => {
    for (const terms of [
      { percent_bp: -1 },
      { percent_bp: 10_001 },
      { percent_bp: 0 },
      { kind: 'others', value_poisha: 0 },
      { kind: 'others', value_poisha: -1 },
      { kind: 'free_shipping', max_discount_poisha: 1 },
      { kind: 'gift' },
      { max_uses: 0 },
      { uses: 2, max_uses: 1 },
      { code: 'lower' },
      { code: 'A B' },
      { starts_at: at(1), ends_at: at(1) },
    ])
      await expect(buildCoupon(db, terms), JSON.stringify(terms)).rejects.toThrow(/constraint|check/)
  })
})

describe('guessing codes is rate limited', async () => {
  const limited = await openShop({ databaseUrl: url, rateLimit: true })
  beforeEach(() => sql`truncate attempt_counts`.execute(db))
  const item = { product_id: mango.id, quantity: 1 }
  const signedIn = async () => {
    const visitor = limited.visitor()
    await visitor.signIn(customer.phone)
    return visitor
  }
  const order = (code: string) => {
    const body = orderBody(area.id, [[mango.id, 10]], { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' })
    body.products[0]!.coupon = code
    return body
  }
  it('after twenty unknown codes a valid one is rejected too, in every browser', async () => {
    const { code } = await buildCoupon(db)
    for (let guess = 0; guess < 20; guess++) {
      const browser = await signedIn()
      expect((await browser.post('/coupons/validate', { code: `GUESS${guess}`, cart_items: [item] })).status).toBe(400)
      await sql`delete from attempt_counts where key like 'sign-in%'`.execute(db)
    }
    const browser = await signedIn()
    const response = await browser.post('/coupons/validate', { code, cart_items: [item] })
    expect([response.status, Number(response.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await browser.post('/customer-orders', order(code))).status).toBe(429)
    limited.clock.now = new Date(limited.clock.now.getTime() + 600_000)
    expect((await browser.post('/coupons/validate', { code, cart_items: [item] })).status).toBe(200)
  })
  it('orders count as well', async () => {
    const browser = await signedIn()
    for (let guess = 0; guess < 20; guess++) {
      const response = await browser.post('/customer-orders', order(`GUESS${guess}`))
      expect([response.status, response.body.errors]).toEqual([422, { coupon: ['Invalid coupon code.'] }])
    }
    expect((await browser.post('/customer-orders', order('GUESS'))).status).toBe(429)
  })
  it('of 150 concurrent codes twenty are looked up, across browsers', async () => {
    const browsers = await Promise.all(Array.from({ length: 8 }, signedIn))
    await Promise.all(browsers.map((browser) => browser.token()))
    const responses = await Promise.all(
      Array.from({ length: 150 }, (_, guess) =>
        browsers[guess % 8]!.post('/coupons/validate', { code: `MANY${guess}`, cart_items: [item] }),
      ),
    )
    expect(Object.groupBy(responses, ({ status }) => status)).toMatchObject({ 400: { length: 20 }, 429: { length: 130 } })
    const refused = responses.find(({ status }) => status === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  })
  it('of 150 concurrent orders twenty are looked up', async () => {
    const browsers = await Promise.all(Array.from({ length: 8 }, signedIn))
    await Promise.all(browsers.map((browser) => browser.token()))
    const responses = await Promise.all(
      Array.from({ length: 150 }, (_, guess) => browsers[guess % 8]!.post('/customer-orders', order(`MANY${guess}`))),
    )
    expect(Object.groupBy(responses, ({ status }) => status)).toMatchObject({ 422: { length: 20 }, 429: { length: 130 } })
    expect(new Set(responses.filter(({ status }) => status === 422).map(({ body }) => body.errors?.coupon?.[0]))).toEqual(
      new Set(['Invalid coupon code.']),
    )
  })
  it('valid codes, and orders that fail for another reason, are not counted', async () => {
    const { code } = await buildCoupon(db)
    const browser = await signedIn()
    for (let time = 0; time < 25; time++) {
      expect((await browser.post('/coupons/validate', { code, cart_items: [item] })).status).toBe(200)
      expect((await browser.post('/customer-orders', { ...order(code), expected_total: 1 })).status).toBe(422)
    }
    const { rows } = await sql<{ n: number }>`select sum(count)::int as n from attempt_counts where key like 'coupon:%'`.execute(db)
    expect(rows[0]?.n).toBe(0)
  })
  it('a browser can send thirty requests a minute', async () => {
    const { code } = await buildCoupon(db)
    const browser = await signedIn()
    const statuses: number[] = []
    for (let time = 0; time < 32; time++) statuses.push((await browser.post('/coupons/validate', { code, cart_items: [item] })).status)
    expect(statuses).toEqual([...Array(30).fill(200), 429, 429])
  })
})
