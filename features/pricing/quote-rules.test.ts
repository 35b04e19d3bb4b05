import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { poisha, taka } from '#lib/format/money.ts'
import { initialQuantity } from '../catalog/quantity-rules.ts'
import { quoteOrder, type OrderChoice, type QuoteData, type QuoteProduct } from './quote-rules.ts'
import type { Coupon } from './rules.ts'

const mango: QuoteProduct = {
  id: 1,
  name: 'Mango',
  status: 'in-stock',
  basePrice: taka(100),
  discount: { kind: 'percentage', value: 1000 },
  sizesMilli: [5000, 10_000],
  isUnique: false,
  stockMilli: null,
  deliveryGroup: 'produce',
  shipping: taka(120),
  advance: { minimum: taka(0), percentBp: 0, roundTo: taka(0) },
  couponApplicable: true,
  codAllowed: true,
}
const cow: QuoteProduct = {
  ...mango,
  id: 2,
  name: 'Cow KB-101',
  basePrice: taka(138_500),
  discount: null,
  sizesMilli: [],
  isUnique: true,
  stockMilli: 1000,
  deliveryGroup: 'cattle',
  shipping: taka(1500),
  advance: { minimum: taka(10_000), percentBp: 0, roundTo: taka(0) },
  couponApplicable: false,
  codAllowed: false,
}

const data = (given: Partial<QuoteData> = {}): QuoteData => ({ products: [mango, cow], area: null, coupon: null, ...given })
const choice = (lines: [number, number][], given: Partial<OrderChoice> = {}): OrderChoice => ({
  lines: lines.map(([productId, quantityMilli]) => ({ productId, quantityMilli })),
  paymentType: 'full',
  partial: null,
  ...given,
})
const coupon = (given: Partial<Coupon>): Coupon => ({
  kind: 'percentage',
  percentBp: 0,
  maxDiscount: null,
  value: taka(0),
  appliesToAll: true,
  productIds: [],
  ...given,
})

test('fruit and a cow: all amounts of an order', () => {
  const quote = quoteOrder(
    data(),
    choice([
      [1, 10_000],
      [2, 1000],
    ]),
  )
  expect(quote).toMatchObject({
    subtotal: taka(139_500),
    delivery: taka(1500),
    productDiscount: taka(100),
    couponDiscount: 0,
    discount: taka(100),
    coupon: null,
    total: taka(140_900),
    payable: taka(140_900),
    isFree: false,
    paymentTypes: ['full', 'partial'],
    problems: [],
    partial: { minimum: taka(10_000), maximum: taka(140_900), suggested: taka(10_000) },
  })
  expect(quote.lines[0]).toEqual({
    productId: 1,
    name: 'Mango',
    quantityMilli: 10_000,
    basePrice: taka(100),
    unitPrice: taka(90),
    baseTotal: taka(1000),
    total: taka(900),
    discount: taka(100),
    advance: 0,
  })
})

describe('payment', () => {
  const fruit: [number, number][] = [[1, 5000]]
  test.each([
    ['nothing chosen yet', { paymentType: null }, 0, []],
    ['in full', { paymentType: 'full' as const }, 570, []],
    ['on delivery', { paymentType: 'cash_on_delivery' as const }, 0, []],
    ['a part', { paymentType: 'partial' as const, partial: taka(120) }, 120, []],
    [
      'too small a part',
      { paymentType: 'partial' as const, partial: taka(119) },
      0,
      [{ reason: 'partial-amount', problem: { key: 'partial.belowDelivery', amount: taka(120) } }],
    ],
    [
      'a part that is no number',
      { paymentType: 'partial' as const, partial: null },
      0,
      [{ reason: 'partial-amount', problem: { key: 'partial.invalid' } }],
    ],
  ])('%s', (_name, given, payable, problems) => {
    const quote = quoteOrder(data(), choice(fruit, given))
    expect(quote.total).toBe(taka(570))
    expect(quote.payable).toBe(taka(payable))
    expect(quote.problems).toEqual(problems)
    expect(quote.paymentTypes).toContain('cash_on_delivery')
  })

  test('an order with an animal has no cash on delivery', () => {
    const quote = quoteOrder(
      data(),
      choice(
        [
          [1, 5000],
          [2, 1000],
        ],
        { paymentType: 'cash_on_delivery' },
      ),
    )
    expect(quote.problems).toEqual([{ reason: 'cod-not-offered' }])
  })

  test('an order with a total of zero is free for every payment type', () => {
    const gift = { ...mango, discount: { kind: 'percentage' as const, value: 10_000 }, shipping: taka(0) }
    for (const paymentType of ['full', 'partial', 'cash_on_delivery'] as const) {
      expect(quoteOrder(data({ products: [gift] }), choice([[1, 5000]], { paymentType }))).toMatchObject({
        total: 0,
        payable: 0,
        isFree: true,
        problems: [],
      })
    }
  })

  test('an order with cash on delivery is not free', () => {
    expect(quoteOrder(data(), choice(fruit, { paymentType: 'cash_on_delivery' })).isFree).toBe(false)
  })
})

describe('problems of an order', () => {
  test.each([
    ['an empty cart', data(), [], [{ reason: 'empty-cart' }]],
    ['an unknown product', data(), [[9, 1000]], [{ reason: 'not-available', productId: 9, name: null }]],
    [
      'a held animal',
      data({ products: [{ ...cow, status: 'hold' }] }),
      [[2, 1000]],
      [{ reason: 'not-available', productId: 2, name: 'Cow KB-101' }],
    ],
    [
      'an animal without stock',
      data({ products: [{ ...cow, stockMilli: 0 }] }),
      [[2, 1000]],
      [{ reason: 'not-available', productId: 2, name: 'Cow KB-101' }],
    ],
    ['no sum of sizes', data(), [[1, 7000]], [{ reason: 'quantity-not-allowed', productId: 1, name: 'Mango' }]],
    ['two of an animal', data(), [[2, 2000]], [{ reason: 'quantity-not-allowed', productId: 2, name: 'Cow KB-101' }]],
    ['a negative quantity', data(), [[1, -5000]], [{ reason: 'quantity-not-allowed', productId: 1, name: 'Mango' }]],
    [
      'more than in stock',
      data({ products: [{ ...mango, stockMilli: 5000 }] }),
      [[1, 10_000]],
      [{ reason: 'not-enough-stock', productId: 1, name: 'Mango' }],
    ],
    [
      'the same product twice',
      data(),
      [
        [2, 1000],
        [2, 1000],
      ],
      [{ reason: 'listed-twice', productId: 2, name: 'Cow KB-101' }],
    ],
    ['no cattle there', data({ area: { cattle: { open: false, charge: null } } }), [[2, 1000]], [{ reason: 'area-closed-for-cattle' }]],
  ] as [string, QuoteData, [number, number][], unknown[]][])('%s', (_name, given, lines, problems) => {
    expect(quoteOrder(given, choice(lines)).problems).toEqual(problems)
  })

  test('a product with status pre-book can be ordered', () => {
    expect(quoteOrder(data({ products: [{ ...mango, status: 'pre-book' }] }), choice([[1, 5000]])).problems).toEqual([])
  })

  test('a line that cannot be priced is not in the totals', () => {
    expect(
      quoteOrder(
        data(),
        choice([
          [1, 5000],
          [9, 1000],
          [2, NaN],
        ]),
      ).subtotal,
    ).toBe(taka(500))
  })
})

describe('coupons', () => {
  const fruit = choice([[1, 10_000]])
  test.each([
    [
      'takes the place of the product discount',
      coupon({ percentBp: 2000 }),
      { coupon: 'applied', couponDiscount: taka(200), discount: taka(200), total: taka(920) },
    ],
    [
      'never makes the order dearer',
      coupon({ percentBp: 500 }),
      { coupon: 'product-discount-better', couponDiscount: 0, discount: taka(100), total: taka(1020) },
    ],
    [
      'is not used when the product discount is worth the same',
      coupon({ percentBp: 1000 }),
      { coupon: 'product-discount-better', couponDiscount: 0, discount: taka(100), total: taka(1020) },
    ],
    [
      'free delivery keeps the product discount',
      coupon({ kind: 'free_shipping' }),
      { coupon: 'applied', couponDiscount: 0, discount: taka(100), delivery: 0, total: taka(900) },
    ],
    ['cheaper delivery', coupon({ kind: 'free_shipping', value: taka(50) }), { delivery: taka(50), total: taka(950) }],
    [
      'for other products',
      coupon({ percentBp: 2000, appliesToAll: false, productIds: [7] }),
      { coupon: 'not-applicable', discount: taka(100), total: taka(1020) },
    ],
    [
      'more than the subtotal',
      coupon({ kind: 'others', value: taka(5000) }),
      { coupon: 'applied', discount: taka(1000), total: taka(120) },
    ],
  ])('%s', (_name, given, expected) => {
    expect(quoteOrder(data({ coupon: given }), fruit)).toMatchObject(expected)
  })

  test('the minimum partial payment follows the lower delivery charge', () => {
    expect(quoteOrder(data({ coupon: coupon({ kind: 'free_shipping', value: taka(50) }) }), fruit).partial).toEqual({
      minimum: taka(50),
      maximum: taka(950),
      suggested: taka(50),
      online: { min: taka(50), max: taka(950) },
    })
  })
})

const money = fc.integer({ min: 0, max: 1e10 }).map(poisha)
const product = fc.record({
  status: fc.constantFrom('in-stock' as const, 'pre-book' as const),
  basePrice: money,
  discount: fc.option(
    fc.record({ kind: fc.constantFrom('percentage' as const, 'fixed' as const), value: fc.integer({ min: 0, max: 10_000 }) }),
  ),
  sizesMilli: fc.constantFrom([], [5000, 10_000], [500, 1000]),
  deliveryGroup: fc.constantFrom('cattle' as const, 'produce' as const),
  shipping: money,
  couponApplicable: fc.boolean(),
  codAllowed: fc.boolean(),
  advance: fc.record({
    minimum: money,
    percentBp: fc.integer({ min: 0, max: 10_000 }),
    roundTo: fc.integer({ min: 0, max: 1e6 }).map(poisha),
  }),
})
const order = fc.record({
  products: fc
    .array(product, { minLength: 1, maxLength: 8 })
    .map((list) => list.map((one, index): QuoteProduct => ({ ...mango, ...one, id: index + 1 }))),
  coupon: fc.option(
    fc.record({
      kind: fc.constantFrom('percentage' as const, 'free_shipping' as const, 'others' as const),
      percentBp: fc.integer({ min: 0, max: 10_000 }),
      maxDiscount: fc.option(money),
      value: money,
      appliesToAll: fc.boolean(),
      productIds: fc.array(fc.integer({ min: 1, max: 8 })),
    }),
  ),
  area: fc.option(fc.record({ cattle: fc.record({ open: fc.constant(true), charge: fc.option(money) }) })),
})

test('for any order: totals add up, nothing is negative, a coupon never raises the total, the suggestion is accepted', () => {
  fc.assert(
    fc.property(order, (given) => {
      const lines = given.products.map((one) => ({ productId: one.id, quantityMilli: initialQuantity(one.sizesMilli) }))
      const quote = quoteOrder(given, { lines, paymentType: null, partial: null })
      expect(quote.problems).toEqual([])
      expect(quote.total).toBe(quote.subtotal + quote.delivery - quote.discount)
      expect(quote.total).toBeGreaterThanOrEqual(quote.delivery)
      const without = quoteOrder({ ...given, coupon: null }, { lines, paymentType: null, partial: null })
      expect(quote.productDiscount).toBe(without.lines.reduce((total, line) => total + line.baseTotal - line.total, 0))
      expect(quote.total).toBeLessThanOrEqual(without.total)
      expect(quote.deliverySaved).toBe(without.delivery - quote.delivery)
      expect(quote.lines.reduce((total, line) => total + line.total, 0)).toBe(quote.subtotal - quote.discount + quote.couponDiscount)
      const { suggested, minimum, online } = quote.partial
      const part = quoteOrder(given, { lines, paymentType: 'partial', partial: suggested })
      if (online.min <= online.max) expect([part.problems, part.payable]).toEqual([[], suggested])
      if (minimum === 0) return
      const byHand = quoteOrder(given, { lines, paymentType: 'partial', partial: minimum, byHand: true })
      expect([byHand.problems, byHand.payable]).toEqual([[], minimum])
    }),
  )
})

test('the largest possible order still adds up', () => {
  const dear = Array.from({ length: 100 }, (_, index) => ({ ...mango, id: index + 1, sizesMilli: [], basePrice: taka(1_000_000) }))
  const lines = dear.map(({ id }) => ({ productId: id, quantityMilli: 10_000_000 }))
  const quote = quoteOrder(data({ products: dear }), { lines, paymentType: 'full', partial: null })
  expect(quote.subtotal).toBe(taka(1_000_000_000_000))
  const dearest = { ...mango, sizesMilli: [], basePrice: taka(100_000_000) }
  expect(quoteOrder(data({ products: [dearest] }), choice([[1, 10_000_000]])).problems).toEqual([
    { reason: 'quantity-not-allowed', productId: 1, name: 'Mango' },
  ])
})
