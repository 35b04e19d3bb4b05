import { describe, expect, test } from 'vitest'
import { poisha, taka } from '#lib/format/money.ts'
import { type QuoteProduct, quoteOrder } from '#features/pricing/quote-rules.ts'
import {
  findAreaError,
  cartBlocker,
  chargesOf,
  paymentOptions,
  placingBlocker,
  quotedPayment,
  reachedStep,
  stepOfHash,
  type CheckoutReadiness,
  type PaymentChoice,
} from './checkout-rules.ts'
import { attemptFor, customerOrderRequest, endsAttempt, isRequestFor, type OrderAttempt, placingOutcome } from './order-request-rules.ts'

const ready: CheckoutReadiness = { isEmpty: false, hasGone: false, hasInvalid: false, hasChanged: false, areDetailsValid: true }

const cow: QuoteProduct = {
  id: 1,
  name: 'Cow',
  status: 'in-stock',
  basePrice: taka(130_000),
  discount: null,
  sizesMilli: [],
  isUnique: true,
  stockMilli: null,
  deliveryGroup: 'cattle',
  shipping: taka(1500),
  advance: { minimum: taka(10_000), percentBp: 0, roundTo: taka(0) },
  couponApplicable: false,
  codAllowed: false,
}
const mango: QuoteProduct = {
  ...cow,
  id: 2,
  name: 'Mango',
  basePrice: taka(150),
  discount: { kind: 'percentage', value: 1000 },
  sizesMilli: [5000, 10_000],
  isUnique: false,
  deliveryGroup: 'produce',
  shipping: taka(80),
  advance: { minimum: taka(0), percentBp: 0, roundTo: taka(0) },
  codAllowed: true,
}

function quote(products: QuoteProduct[], choice: PaymentChoice | null = null, typed = poisha(0), quantityMilli = 5000) {
  const lines = products.map((product) => ({ productId: product.id, quantityMilli: product.isUnique ? 1000 : quantityMilli }))
  const first = quoteOrder({ products, area: null, coupon: null }, { lines, paymentType: null, partial: null })
  return quoteOrder({ products, area: null, coupon: null }, { lines, ...quotedPayment(choice, typed, first.partial.minimum) })
}

describe('steps', () => {
  test.each([
    ['', 'cart'],
    ['#details', 'details'],
    ['#preview', 'preview'],
    ['#nonsense', 'cart'],
  ])('the address %j is the step %s', (hash, step) => {
    expect(stepOfHash(hash)).toBe(step)
  })

  test.each([
    ['preview', {}, 'preview'],
    ['preview', { areDetailsValid: false }, 'details'],
    ['preview', { isEmpty: true }, 'cart'],
    ['details', { areDetailsValid: false }, 'details'],
    ['details', { isEmpty: true }, 'cart'],
  ] as const)('the requested step %s with %j shows %s', (wanted, change, step) => {
    expect(reachedStep(wanted, { ...ready, ...change })).toBe(step)
  })

  test('the message that blocks the cart step', () => {
    expect(cartBlocker(ready)).toBeNull()
    expect(cartBlocker({ ...ready, hasChanged: true })).toBe('cart.accept-warning')
    expect(cartBlocker({ ...ready, hasChanged: true, hasInvalid: true })).toBe('cart.quantity-warning')
    expect(cartBlocker({ ...ready, hasChanged: true, hasGone: true })).toBe('cart.gone-warning')
    expect(cartBlocker({ ...ready, isEmpty: true, hasGone: true })).toBe('cart.empty-warning')
  })
})

describe('payment options', () => {
  const shop = { hasGateway: true, hasCattle: false, hasAccount: true, codCodeFrom: null }

  test('fruit: online in full, in part, or in cash', () => {
    const choices = ['full', 'partial', 'cash_on_delivery']
    expect(paymentOptions(quote([mango]), shop)).toEqual(choices.map((choice) => ({ choice, problem: null })))
  })

  test('cash needs a code from a total on, where the shop asks for it', () => {
    const problemOf = (from: number) => paymentOptions(quote([mango]), { ...shop, codCodeFrom: taka(from) }).at(-1)?.problem
    expect([756, 755, 0].map(problemOf)).toEqual([null, 'payment.cod-code', 'payment.cod-code'])
  })

  test('a cow: no cash on delivery, but an advance by hand', () => {
    const choices = paymentOptions(quote([cow, mango]), { ...shop, hasCattle: true }).map((option) => option.choice)
    expect(choices).toEqual(['full', 'partial', 'advance'])
    const options = paymentOptions(quote([cow]), { ...shop, hasCattle: true, hasAccount: false })
    expect(options.map((option) => option.choice)).toEqual(['full', 'partial'])
  })

  test('more than half a million cannot be paid online in full, but in part', () => {
    const dear = quote([{ ...cow, basePrice: taka(600_000) }])
    expect(paymentOptions(dear, { ...shop, hasCattle: true }).slice(0, 2)).toEqual([
      { choice: 'full', problem: 'refusal.above-gateway-maximum' },
      { choice: 'partial', problem: null },
    ])
  })

  test('an advance of more than half a million is sent by hand', () => {
    const dearest = quote([{ ...cow, basePrice: taka(900_000), advance: { ...cow.advance, minimum: taka(500_001) } }])
    expect(paymentOptions(dearest, { ...shop, hasCattle: true })).toEqual([
      { choice: 'full', problem: 'refusal.advance-above-gateway-maximum' },
      { choice: 'partial', problem: 'refusal.advance-above-gateway-maximum' },
      { choice: 'advance', problem: null },
    ])
  })

  test('less than ten taka cannot be paid online', () => {
    const cheap = quote([{ ...mango, basePrice: taka(1), sizesMilli: [1000], shipping: taka(0), discount: null }], null, poisha(0), 1000)
    expect(paymentOptions(cheap, shop).map((option) => option.problem)).toEqual([
      'refusal.below-gateway-minimum',
      'refusal.below-gateway-minimum',
      null,
    ])
  })

  test('without a gateway only cash and the advance are left', () => {
    expect(paymentOptions(quote([cow]), { ...shop, hasGateway: false, hasCattle: true })).toEqual([
      { choice: 'full', problem: 'payment.closed-now' },
      { choice: 'partial', problem: 'payment.closed-now' },
      { choice: 'advance', problem: null },
    ])
  })

  test('a free order has one option', () => {
    const free = quote([{ ...mango, basePrice: taka(0), shipping: taka(0) }])
    expect(paymentOptions(free, { ...shop, hasGateway: false })).toEqual([{ choice: 'full', problem: null }])
  })
})

describe('placing an order', () => {
  const state = {
    readiness: ready,
    option: { choice: 'full', problem: null } as const,
    quote: quote([mango], 'full'),
    agreed: true,
  }

  test.each([
    ['nothing', {}, null],
    ['the terms', { agreed: false }, 'place.needs-terms'],
    ['a payment option', { option: null }, 'place.needs-payment'],
    ['an available payment option', { option: { choice: 'full', problem: 'payment.closed-now' } as const }, 'place.needs-payment'],
    ['a part', { quote: quote([mango], 'partial', poisha(0)) }, 'place.needs-amount'],
    [
      'a part within the gateway limits',
      { quote: quote([{ ...cow, basePrice: taka(600_000) }], 'partial', taka(500_001)) },
      'place.needs-amount',
    ],
    ['a product in the cart', { readiness: { ...ready, isEmpty: true } }, 'cart.empty'],
    ['consent to the price', { readiness: { ...ready, hasChanged: true } }, 'place.needs-accept'],
    ['an available product', { readiness: { ...ready, hasGone: true } }, 'place.needs-available'],
  ] as const)('%s is missing', (_what, change, blocker) => {
    expect(placingBlocker({ ...state, ...change })).toBe(blocker)
  })

  const details = {
    name: ' Rahima ',
    email: 'r@example.com',
    phone: '০১৮১১০০০০০৯',
    alternate_phone: '',
    address: 'House 4',
    landmark: '',
    note: '',
    area_id: 3,
  }

  test('the body of a full payment', () => {
    expect(customerOrderRequest(details, quote([mango], 'full'), { choice: 'full', couponCode: null, deliveryOn: null })).toEqual({
      customer: { ...details, name: 'Rahima', phone: '01811000009' },
      couponFreeShipping: 0,
      couponDiscountAmount: 0,
      totalProductDiscount: 75,
      products: [{ product_id: 2, quantity: 5, coupon: null }],
      payment_gateway: 'pgw',
      payable_amount: 755,
      payment_type: 'full',
      partial_payment: null,
      is_free_order: false,
      expected_total: 755,
    })
  })

  test.each([
    ['partial', taka(300), { payment_type: 'partial', payment_gateway: 'pgw', payable_amount: 300, partial_payment: 300 }],
    [
      'cash_on_delivery',
      taka(0),
      { payment_type: 'cash_on_delivery', payment_gateway: 'NONE', payable_amount: 0, partial_payment: null, is_free_order: false },
    ],
  ] as const)('the body of %s', (choice, typed, part) => {
    expect(customerOrderRequest(details, quote([mango], choice, typed), { choice, couponCode: null, deliveryOn: null })).toMatchObject(part)
  })

  test('the body with a saved address and a delivery coupon', () => {
    const given = { ...quote([mango], 'full'), deliverySaved: taka(80) }
    expect(customerOrderRequest({ ...details, id: 7 }, given, { choice: 'full', couponCode: 'FREEDEL', deliveryOn: null })).toMatchObject({
      customer: { id: 7, name: 'Rahima', area_id: 3 },
      couponFreeShipping: 80,
      products: [{ product_id: 2, coupon: 'FREEDEL' }],
    })
  })

  test('an advance by hand is the minimum part, without a gateway', () => {
    expect(customerOrderRequest(details, quote([cow], 'advance'), { choice: 'advance', couponCode: null, deliveryOn: null })).toMatchObject(
      {
        payment_type: 'partial',
        payment_gateway: 'NONE',
        payable_amount: 10_000,
        partial_payment: 10_000,
        expected_total: 131_500,
      },
    )
  })

  const by = (choice: 'full' | 'cash_on_delivery', phone = details.phone) =>
    customerOrderRequest({ ...details, phone }, quote([mango], choice), { choice, couponCode: null, deliveryOn: null })

  test('a request without an answer is for one cart and one customer', () => {
    const items = by('full').products.map((line) => ({ productId: line.product_id, quantity: line.quantity }))
    expect([details, { ...details, phone: '01911000000' }].map((one) => isRequestFor(by('full'), one, items))).toEqual([true, false])
    expect(isRequestFor(by('full'), details, [...items, { productId: 99, quantity: 1 }])).toBe(false)
  })

  test('the key stays until a response for one customer and the same lines, and earlier requests with it', () => {
    const keys = ['key-1', 'key-2']
    const [full, cash, other] = [by('full'), by('cash_on_delivery'), by('full', '01911000000')]
    const send = (previous: OrderAttempt | null, request: typeof full) => attemptFor(previous, request, () => keys.shift()!)
    const second = send(send(null, full), cash)
    expect(send(second, by('cash_on_delivery'))).toEqual({ key: 'key-1', request: cash, earlier: [full] })
    expect(send(second, full)).toEqual({ key: 'key-1', request: full, earlier: [cash] })
    expect(send(second, other)).toEqual({ key: 'key-2', request: other, earlier: [] })
    expect([200, 409, 410, 422].map(endsAttempt)).toEqual([true, true, true, true])
    expect([408, 429, 500, 503].map(endsAttempt)).toEqual([false, false, false, false])
  })
})

describe('the response', () => {
  test.each([
    [
      'a gateway',
      200,
      { redirect_url: 'https://pay.example/1', order_id: 4 },
      false,
      { kind: 'pay', url: 'https://pay.example/1', orderId: 4 },
    ],
    ['a payment URL with a script', 200, { redirect_url: 'javascript:alert(1)', order_id: 4 }, false, { kind: 'thanks', orderId: 4 }],
    ['an order', 200, { order_id: 4 }, false, { kind: 'thanks', orderId: 4 }],
    ['a free order', 200, { order_id: 4 }, true, { kind: 'free', orderId: 4 }],
    ['an order whose gateway does not answer', 502, { order_id: 4, error: 'silent' }, false, { kind: 'pay-later', orderId: 4 }],
    [
      'unavailable products',
      410,
      { error: 'Cow is not available right now.', product_ids: [1] },
      false,
      { kind: 'failed', status: 410, lines: ['Cow is not available right now.'], goneIds: [1], backToCart: true },
    ],
    ['unavailable products without a text', 410, null, false, { kind: 'failed', status: 410, lines: [], goneIds: [], backToCart: true }],
    [
      'all that is invalid',
      422,
      { message: 'x', errors: { a: ['one'], b: ['two', 'one'] } },
      false,
      { kind: 'failed', status: 422, lines: ['one', 'two'], goneIds: [], backToCart: false },
    ],
    [
      'something else',
      409,
      { message: 'Reload' },
      false,
      { kind: 'failed', status: 409, lines: ['Reload'], goneIds: [], backToCart: false },
    ],
    ['no JSON', 500, '<html>', false, { kind: 'failed', status: 500, lines: [], goneIds: [], backToCart: false }],
  ] as const)('%s', (_what, status, answer, isFree, outcome) => {
    expect(placingOutcome(status, answer, isFree)).toEqual(outcome)
  })
})

test('an area that is closed for cattle takes orders of produce', () => {
  const sylhet = { id: 15, area_name: 'Sylhet', cattle_charge: false as const, produce_charge: 180 }
  expect(chargesOf(sylhet)).toEqual({ cattle: { open: false, charge: null }, produce: { open: true, charge: 18_000 } })
  expect(chargesOf(null)).toBeNull()
  expect(findAreaError(sylhet, ['produce'])).toBeNull()
  expect(findAreaError(sylhet, ['produce', 'cattle'])).toBe('refusal.area-closed-for-cattle')
  expect(findAreaError(null, ['cattle'])).toBeNull()
})
