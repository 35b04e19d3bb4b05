import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testDb } from '#test/db.ts'
import { buildAnimal, buildArea, buildProduct, orderBody, type OrderBody } from '#test/factories.ts'
import { countStock, expectInvariants } from '#test/invariants.ts'
import { openShop } from '#test/request.ts'

// Rejected orders, and orders priced by the shop: the specified rows of invalid input.

const { db, url } = await testDb()
const shop = await openShop({ databaseUrl: url })
const area = await buildArea(db, { cattle: 1500, produce: 80 })
const cow = await buildAnimal(db)
const twin = await buildAnimal(db)
const herd = await buildAnimal(db, { price_poisha: 90_000_000, advance_minimum_poisha: 60_000_000 })
const mango = await buildProduct(db, { sizes_milli: [5000, 10_000] })
const honey = await buildProduct(db, { unit: 'piece', stock_milli: 9000 })
const toffee = await buildProduct(db, { unit: 'piece', price_poisha: 100, shipping_poisha: 0 })
const free = await buildArea(db, { cattle: 0, produce: 0 })

const counts = async () =>
  (
    await sql<object>`select (select count(*) from orders) as orders, (select count(*) from users) as users, (select count(*) from sms_outbox) as sms,
  (select count(*) from stock_movements) as moved`.execute(db)
  ).rows[0]
let before: object | undefined
beforeEach(async () => {
  before = await counts()
})
afterEach(async () => {
  await expectInvariants(db, await countStock(db))
  expect(shop.failures).toEqual([])
})

const cash = { payment_type: 'cash_on_delivery', payment_gateway: 'NONE' }
const partial = (amount: unknown) => ({ payment_type: 'partial', payable_amount: amount, partial_payment: amount })
const cowOrder = (overrides: object = {}) => orderBody(area.id, [[cow.id, 1]], { ...overrides })
const mangoOrder = (quantity: unknown) => orderBody(area.id, [[mango.id, quantity as number]], cash)
const lines = (products: object[]) => ({ ...orderBody(area.id, [], cash), products }) as OrderBody

const refused: [name: string, body: object, errors: Record<string, string | RegExp>][] = [
  ['an invented discount', cowOrder({ totalProductDiscount: -100_000 }), { payable_amount: /The total is now ৳1,11,500/ }],
  ['a coupon’s discount without a coupon', cowOrder({ couponDiscountAmount: 5000 }), { payable_amount: /The total is now/ }],
  ['an invented total', cowOrder({ expected_total: 1 }), { payable_amount: /The total is now/ }],
  [
    'a cow as a free order',
    cowOrder({ is_free_order: true, payable_amount: 0, payment_gateway: 'NONE' }),
    { payable_amount: /The total is now/ },
  ],
  [
    'nothing payable, no gateway, not called free',
    cowOrder({ payable_amount: 0, payment_gateway: 'NONE' }),
    { payable_amount: /The total is now/ },
  ],
  ['a free order with a partial payment', cowOrder({ ...partial(10_000), is_free_order: true }), { payable_amount: /The total is now/ }],
  [
    'called free, and paid on delivery',
    orderBody(area.id, [[mango.id, 5]], { ...cash, is_free_order: true }),
    { payable_amount: /The total is now/ },
  ],
  [
    'less to pay now than the part that is named',
    cowOrder({ ...partial(20_000), payable_amount: 10_000 }),
    { payable_amount: /The total is now/ },
  ],
  [
    'something to pay now, in cash on delivery',
    orderBody(area.id, [[mango.id, 5]], { ...cash, payable_amount: 1 }),
    { payable_amount: /The total is now/ },
  ],
  ['no gateway', cowOrder({ payment_gateway: 'NONE' }), { payment_gateway: 'Choose an online payment method.' }],
  [
    'a part by hand for goods without an advance',
    orderBody(area.id, [[mango.id, 10]], { ...partial(200), payment_gateway: 'NONE' }),
    { payment_gateway: 'Choose an online payment method.' },
  ],
  ['payable below delivery', cowOrder(partial(1499)), { payable_amount: 'Amount cannot be less than delivery charge (৳1,500).' }],
  [
    'payable below the advance',
    cowOrder(partial(9999)),
    { payable_amount: 'Amount cannot be less than the advance for these items (৳10,000).' },
  ],
  ['a part of zero', orderBody(free.id, [[toffee.id, 20]], partial(0)), { payable_amount: 'Please enter a valid number.' }],
  ['payable above total', cowOrder(partial(111_500.01)), { payable_amount: 'Amount cannot be more than total amount (৳1,11,500).' }],
  ...['1e9', '১৫০০', 'NaN', [1500], {}, true].map((amount): [string, object, Record<string, string>] => [
    `payable ${JSON.stringify(amount)}`,
    cowOrder(partial(amount)),
    { payable_amount: 'Please enter a valid number.' },
  ]),
  ['payable null, as JSON encodes NaN and Infinity', cowOrder(partial(Infinity)), { payable_amount: 'Please enter a valid number.' }],
  ['payable finer than a poisha', cowOrder(partial(10_000.001)), { payable_amount: 'Please enter a valid number.' }],
  [
    'a part that is a word',
    cowOrder({ ...partial(10_000), partial_payment: 'দশ হাজার' }),
    { partial_payment: 'Please enter a valid number.' },
  ],
  ...[0, -1, 1.5, 1e9, 0.0001, '2', true, null, []].map((quantity): [string, object, Record<string, RegExp>] => [
    `quantity ${JSON.stringify(quantity)}`,
    mangoOrder(quantity),
    { 'products.0.quantity': /./ },
  ]),
  ['two of one animal', orderBody(area.id, [[cow.id, 2]]), { 'products.0.quantity': `${cow.name_en} cannot be ordered in this quantity.` }],
  ['quantity not a sum of sizes', mangoOrder(7), { 'products.0.quantity': `${mango.name_en} cannot be ordered in this quantity.` }],
  [
    'the same product twice',
    orderBody(
      area.id,
      [
        [honey.id, 5],
        [mango.id, 5],
        [honey.id, 4],
      ],
      cash,
    ),
    { 'products.2.quantity': `${honey.name_en} is listed twice in this order.` },
  ],
  ['101 lines', lines(Array.from({ length: 101 }, (_, index) => ({ product_id: index + 1, quantity: 1 }))), { products: /./ }],
  ['no line', lines([]), { products: 'Empty Cart' }],
  [
    'above what a gateway takes',
    orderBody(area.id, [[mango.id, 5000]]),
    { payable_amount: /Online payment takes at most ৳5,00,000 at once. Please choose Partial Payment/ },
  ],
  [
    'below the gateway minimum',
    orderBody(free.id, [[toffee.id, 9]]),
    { payable_amount: 'Online payment takes at least ৳10. Please add something to your order.' },
  ],
  [
    'a part below what a gateway takes',
    orderBody(free.id, [[toffee.id, 1005]], partial(5)),
    { payable_amount: 'Online payment takes at least ৳10. Please enter a larger amount.' },
  ],
  [
    'a part above what a gateway takes',
    orderBody(area.id, [[mango.id, 5000]], partial(500_001)),
    { payable_amount: 'Online payment takes at most ৳5,00,000 at once. Please enter a smaller amount and pay the rest later.' },
  ],
  [
    'an advance above what a gateway takes, paid in full',
    orderBody(area.id, [[herd.id, 1]]),
    { payable_amount: /this order needs a larger advance/ },
  ],
  [
    'two cows for less than the advance of both',
    orderBody(
      area.id,
      [
        [cow.id, 1],
        [twin.id, 1],
      ],
      { ...partial(15_000), payment_gateway: 'NONE' },
    ),
    { payable_amount: 'Amount cannot be less than the advance for these items (৳20,000).' },
  ],
  ['an invented free delivery', cowOrder({ couponFreeShipping: true }), { payable_amount: /The total is now/ }],
  ['an unknown area', orderBody(999_999, [[mango.id, 5]], cash), { 'customer.area_id': /./ }],
  ['an unknown gateway', cowOrder({ payment_gateway: 'paypal' }), { payment_gateway: /./ }],
  ['cash on delivery for a cow', cowOrder(cash), { payment_type: 'Cash on delivery is not available for these items.' }],
  [
    'cash on delivery through a gateway',
    { ...mangoOrder(5), payment_gateway: 'pgw' },
    { payment_gateway: 'This payment method is not available.' },
  ],
]

it.each(refused)('%s: 422 without changes', async (_name, body, errors) => {
  const answer = await shop.post('/customer-orders', body)
  expect(answer.status).toBe(422)
  expect(answer.body.error).toBe(answer.body.message)
  for (const [field, text] of Object.entries(errors))
    expect(answer.body.errors?.[field]?.join('\n'), `${field} in ${answer.text}`).toMatch(text)
  expect(await counts()).toEqual(before)
})

it('an outdated total is returned as a number, too', async () => {
  expect((await shop.post('/customer-orders', cowOrder({ expected_total: 100_000 }))).body.total).toBe(111_500)
})

it('a body of 1 MB is too large', async () => {
  const answer = await shop.post('/customer-orders', { ...mangoOrder(5), padding: 'x'.repeat(1_000_000) })
  expect([answer.status, answer.body.message, answer.body.error]).toEqual([
    413,
    ...Array(2).fill('This is too large to send. Choose a smaller file or a shorter text.'),
  ])
})

describe('unavailable products', () => {
  it.each(['hold', 'sold', 'out-of-stock'])('%s: 410 with its name', async (status) => {
    const gone = await buildProduct(db, { status, ...(status === 'out-of-stock' ? { stock_milli: 0 } : {}) })
    const answer = await shop.post(
      '/customer-orders',
      orderBody(
        area.id,
        [
          [mango.id, 5],
          [gone.id, 1],
        ],
        cash,
      ),
    )
    expect(answer.status).toBe(410)
    expect(answer.body).toEqual({
      message: `${gone.name_en} is not available right now.`,
      error: `${gone.name_en} is not available right now.`,
      product_ids: [gone.id],
    })
    expect(await counts()).toEqual(before)
  })

  it.each(['unknown', 'hidden'])('%s: 410 without a name', async (kind) => {
    const id = kind === 'hidden' ? (await buildProduct(db, { visible: false })).id : 9_007_199_254_740_991
    const answer = await shop.post('/customer-orders', orderBody(area.id, [[id, 1]], cash))
    expect([answer.status, answer.body.message]).toEqual([410, 'Product not available'])
    expect(await counts()).toEqual(before)
  })

  it('names it in Bengali to a Bengali reader', async () => {
    const gone = await buildProduct(db, { status: 'hold' })
    const answer = await shop.post('/customer-orders', orderBody(area.id, [[gone.id, 1]], cash), { headers: { cookie: 'lang=bn' } })
    expect(answer.body.message).toContain(`${gone.name_en.replace('Mango', 'আম')}`)
  })

  it('deleted between cart and order', async () => {
    const short = await buildProduct(db)
    // The product is still cached.
    expect((await shop.post('/customer-orders', orderBody(area.id, [[short.id, 1]], { ...cash, expected_total: 1 }))).status).toBe(422)
    await sql`delete from products where id = ${short.id}`.execute(db)
    const answer = await shop.post('/customer-orders', orderBody(area.id, [[short.id, 1]], cash))
    expect([answer.status, answer.body.message]).toEqual([410, 'Product not available'])
    expect(await counts()).toEqual(before)
  })
})

describe('amounts of the shop', () => {
  it('ignores prices of the request, and extra fields', async () => {
    const body = {
      ...orderBody(area.id, [[mango.id, 15]], { ...cash, status: 'delivered', customer_id: 1, total: 1 }),
      products: [{ product_id: mango.id, quantity: 15, price: 1, unit_price: 0 }],
    }
    const { status, body: answer } = await shop.post('/customer-orders', body)
    expect(status).toBe(200)
    const { rows } =
      await sql<object>`select status, subtotal_poisha, shipping_poisha, total_poisha, payable_poisha from orders where id = ${answer.order_id}`.execute(
        db,
      )
    expect(rows[0]).toEqual({ status: 'placed', subtotal_poisha: 180_000, shipping_poisha: 8000, total_poisha: 188_000, payable_poisha: 0 })
  })

  it.each<[string, () => OrderBody, number]>([
    ['the suggested part of ৳1,005', () => orderBody(free.id, [[toffee.id, 1005]], partial(105)), 10_500],
    [
      'the advance of two cows, by hand',
      () =>
        orderBody(
          area.id,
          [
            [cow.id, 1],
            [twin.id, 1],
          ],
          { ...partial(20_000), payment_gateway: 'NONE' },
        ),
      2_000_000,
    ],
    [
      'an advance above what a gateway takes, by hand',
      () => orderBody(area.id, [[herd.id, 1]], { ...partial(600_000), payment_gateway: 'NONE' }),
      60_000_000,
    ],
  ])('takes %s', async (_name, body, payable) => {
    const answer = await shop.post('/customer-orders', body())
    const { rows } = await sql<object>`select payable_poisha from orders where id = ${answer.body.order_id}`.execute(db)
    expect(rows[0]).toEqual({ payable_poisha: payable })
  })

  it.each(['NONE', 'pgw'])('an order without costs is free with every gateway (%s)', async (payment_gateway) => {
    const gift = await buildProduct(db, { price_poisha: 0, shipping_poisha: 0 })
    const { status, body } = await shop.post(
      '/customer-orders',
      orderBody(free.id, [[gift.id, 1]], { payment_gateway, payable_amount: 0, is_free_order: true }),
    )
    expect([status, typeof body.order_id]).toEqual([200, 'number'])
    const { rows } = await sql<object>`select is_free_order, payment_gateway, expires_at from orders where id = ${body.order_id}`.execute(
      db,
    )
    expect(rows[0]).toEqual({ is_free_order: true, payment_gateway: 'NONE', expires_at: null })
  })
})

it.each([
  ['en', 'The Idempotency-Key has 8 to 200 visible characters.'],
  ['bn', 'Idempotency-Key ৮ থেকে ২০০টি দৃশ্যমান অক্ষরের হতে হবে।'],
])('a malformed idempotency key is refused in the language of the shopper (%s)', async (lang, text) => {
  const answer = await shop
    .visitor()
    .post('/customer-orders', orderBody(area.id, [[1, 1]]), { key: 'short', headers: { cookie: `lang=${lang}` } })
  expect(answer).toMatchObject({ status: 422, body: { errors: { 'idempotency-key': [text] } } })
})
