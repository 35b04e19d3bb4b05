import fc from 'fast-check'
import { expect, test } from 'vitest'
import { translate } from '#lib/i18n/translate.ts'
import { type Poisha, poisha } from '#lib/format/money.ts'
import { initialQuantity } from '#features/catalog/quantity-rules.ts'
import { type QuoteProduct, quoteOrder } from '#features/pricing/quote-rules.ts'
import { paymentOptions, quotedPayment } from './checkout-rules.ts'
import { customerOrderRequest } from './order-request-rules.ts'
import { customerOrderBody } from './forms.ts'
import { orderChoice } from './place-order.server.ts'
import { toOrderInput } from './order-input.server.ts'
import { findQuoteMismatch } from './quote-mismatch.server.ts'

// Each payment option with its suggested part: built as the browser sends it, checked with the functions of the server.

const details = {
  name: 'Rahima',
  email: 'rahima@customer.example',
  phone: '01811000009',
  alternate_phone: '',
  address: 'House 4',
  landmark: '',
  note: '',
  area_id: 3,
}
const buyer = {
  userId: null,
  lang: 'en',
  browser: null,
  verifiedPhone: null,
  ip: '127.0.0.1',
  isKeySecret: true,
  isUnnamed: false,
  idempotencyKey: 'a-key-of-a-test',
} as const
const t = translate('en') as Parameters<typeof findQuoteMismatch>[3]

// Small amounts reach the minimum of a gateway, large ones the maximum. The shop's own bounds are often low.
const sums = [
  fc.integer({ min: 0, max: 3000 }),
  fc.integer({ min: 0, max: 500_000 }),
  fc.integer({ min: 0, max: 1e9 }),
  fc.integer({ min: 49_990_000, max: 50_000_000 }),
]
const money = fc.oneof(...sums).map(poisha)
const charge = fc.oneof({ arbitrary: fc.constant(0), weight: 4 }, ...sums).map(poisha)
const noAdvance = { minimum: poisha(0), percentBp: 0, roundTo: poisha(0) }
const advance = fc.oneof(
  { arbitrary: fc.constant(noAdvance), weight: 2 },
  fc.record({ minimum: charge, percentBp: fc.integer({ min: 0, max: 10_000 }), roundTo: charge }),
)
const product = fc.record({
  basePrice: money,
  discount: fc.option(
    fc.record({ kind: fc.constantFrom('percentage' as const, 'fixed' as const), value: fc.integer({ min: 0, max: 10_000 }) }),
  ),
  sizesMilli: fc.constantFrom([], [5000, 10_000], [500, 1000]),
  deliveryGroup: fc.constantFrom('cattle' as const, 'produce' as const),
  shipping: charge,
  couponApplicable: fc.boolean(),
  codAllowed: fc.boolean(),
  advance,
})
const order = fc.record({
  products: fc.array(product, { minLength: 1, maxLength: 4 }).map((list) =>
    list.map((one, index): QuoteProduct => {
      const shared = { id: index + 1, name: 'Mango', status: 'in-stock', stockMilli: null, isUnique: false } as const
      return { ...shared, ...one }
    }),
  ),
  area: fc.option(
    fc.record({
      cattle: fc.record({ open: fc.constant(true), charge: fc.option(charge) }),
      produce: fc.record({ open: fc.constant(true), charge: fc.option(charge) }),
    }),
  ),
})

/** The server's error for the order that the browser sends for a payment choice, or null. */
function refusalOf(
  given: { products: QuoteProduct[]; area: Parameters<typeof quoteOrder>[0]['area'] },
  choice: 'full' | 'partial' | 'advance' | 'cash_on_delivery',
  part: Poisha,
) {
  const quoteData = { ...given, coupon: null }
  const lines = given.products.map((one) => ({ productId: one.id, quantityMilli: initialQuantity(one.sizesMilli) }))
  const unpaid = quoteOrder(quoteData, { lines, paymentType: null, partial: null })
  const shown = quoteOrder(quoteData, { lines, ...quotedPayment(choice, part, unpaid.partial.minimum) })
  const sent = customerOrderBody.parse(
    JSON.parse(JSON.stringify(customerOrderRequest(details, shown, { choice, couponCode: null, deliveryOn: null }))),
  )
  const gateway = sent.payment_gateway === 'NONE' ? 'NONE' : 'sslcommerz'
  const input = toOrderInput({ body: sent, details, buyer, gateway, couponCode: null, browser: 'browser', viewKey: 'key', source: 'web' })
  const quote = quoteOrder(quoteData, orderChoice(input))
  return quote.problems.length > 0 ? quote.problems : findQuoteMismatch(sent, input.gateway, quote, t, 'en')
}

test('every offered payment option is accepted with the suggested part', () => {
  fc.assert(
    fc.property(order, (given) => {
      const lines = given.products.map((one) => ({ productId: one.id, quantityMilli: initialQuantity(one.sizesMilli) }))
      const quote = quoteOrder({ ...given, coupon: null }, { lines, paymentType: null, partial: null })
      const hasCattle = given.products.some((one) => one.deliveryGroup === 'cattle')
      for (const { choice, problem } of paymentOptions(quote, { hasGateway: true, hasCattle, hasAccount: true, codCodeFrom: null })) {
        if (problem === null) expect([choice, refusalOf(given, choice, quote.partial.suggested)]).toEqual([choice, null])
      }
    }),
    { numRuns: 2000 },
  )
})
