import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '#messages/en-account.ts'
import { type PaymentChoice, paymentOptions } from '#features/orders/checkout/checkout-rules.ts'
import { cartItemToQuoteProduct } from '#features/cart/quote-lines-rules.ts'
import { type FreshLine, refreshedLines } from '#features/cart/fresh-rules.ts'
import { cartItemOf } from '#features/cart/stored-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import { quoteOrder } from '#features/pricing/quote-rules.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { BookingBanner } from './booking-banner.tsx'

const PAGE = { lang: 'en', path: '/cart', shop: { phone: '01700000000', whatsapp: '' }, sendsSms: true } as PageContextValue
const cow = {
  id: 1,
  product_type: 'Pabna bull',
  price: 120_000,
  status: 'in-stock',
  size: null,
  discount: null,
  discount_type: null,
  is_unique: true,
  tag_number: 'K-101',
  delivery_group: 'cattle',
  shipping_cost: 1500,
  advance_minimum: 10_000,
  advance_percentage: 0,
  advance_round_figure: 0,
  categories: [{ id: 4, key: 'kurbani', name: 'Kurbani Cow', label: 'Kurbani Cow' }],
} as unknown as ProductJson
const bull = { ...cow, categories: [{ id: 2, key: 'beef', name: 'Beef', label: 'Beef' }] } as ProductJson
const accounts = { bank: { bank: '', branch: '', accountName: '', accountNumber: '', routing: '' }, bkash: '01700000000', nagad: '' }

/** The banner of a cart, beside the chosen payment; empty when it is not shown. */
function shown(product: ProductJson, choice: PaymentChoice | null, { hasAccount = true, sendsSms = true } = {}): string {
  const lines: FreshLine[] = refreshedLines([cartItemOf(product)], new Map([[product.id, product]]))
  const products = lines.map(({ item }) => cartItemToQuoteProduct(item))
  const quote = quoteOrder(
    { products, area: null, coupon: null },
    { lines: [{ productId: 1, quantityMilli: 1000 }], paymentType: null, partial: null },
  )
  const options = paymentOptions(quote, { hasGateway: true, hasCattle: true, hasAccount, codCodeFrom: null })
  const option = options.find((one) => one.choice === choice) ?? null
  const checkout = { lines, quote, options, option, shop: { payTo: accounts } } as unknown as Parameters<
    typeof BookingBanner
  >[0]['checkout']
  return renderToStaticMarkup(
    <AppRoot shell={{ ...PAGE, sendsSms }}>
      <BookingBanner checkout={checkout} />
    </AppRoot>,
  )
}

it('a Kurbani cow in the cart brings the banner, before a payment is chosen', () => {
  const banner = shown(cow, null)
  expect(banner).toContain('Pay an advance of ৳10,000 by bank transfer or to our mobile-money merchant number.')
  expect(banner).toContain('Write the cow’s tag number in the payment reference: K-101.')
  expect(banner).toContain('Then call or message 01700000000 to confirm.')
  expect(banner).toContain('confirmation SMS')
  expect(shown(cow, 'advance')).toBe(banner)
  expect(shown(cow, null, { sendsSms: false })).toBe(banner.replace(/<li>[^<]*SMS[^<]*<\/li>/, ''))
})

it.each<[string, ProductJson, PaymentChoice | null, boolean]>([
  ['another cart', bull, null, true],
  ['full payment', cow, 'full', true],
  ['partial payment', cow, 'partial', true],
  ['a shop without an account for it', cow, null, false],
])('%s has none', (_name, product, choice, hasAccount) => {
  expect(shown(product, choice, { hasAccount })).toBe('')
})
