import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '#messages/en-account.ts'
import { refreshedLines } from '#features/cart/fresh-rules.ts'
import { cartItemOf } from '#features/cart/stored-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { DeliveryNotice, WeighingNotice } from './notices.tsx'
import type { Checkout, CheckoutShop } from './use-checkout.ts'

const PAGE = { lang: 'en', path: '/cart', shop: { phone: '', whatsapp: '' } } as PageContextValue
const shop = { weighings: { 2: 0 }, gainLarge: '10–15', gainSmall: '5–10', meatYield: '55–57' } as unknown as CheckoutShop
const cow = {
  id: 1,
  price: 90_000,
  status: 'in-stock',
  size: null,
  discount: null,
  discount_type: null,
  is_unique: true,
  delivery_group: 'cattle',
  weight_kg: 180,
  categories: [{ id: 2, key: 'beef', name: 'Beef', label: 'Beef' }],
} as unknown as ProductJson

it.each([
  ['with a rate per kg', 500, true],
  ['with a fixed price', null, false],
])('an animal %s: the notice mentions the final weight: %s', (_, rate_per_kg, isNamed) => {
  const product = { ...cow, rate_per_kg }
  const notice = renderToStaticMarkup(
    <AppRoot shell={PAGE}>
      <WeighingNotice shop={shop} lines={refreshedLines([cartItemOf(product)], new Map([[1, product]]))} />
    </AppRoot>,
  )
  expect(notice).toContain('Meat yield')
  expect(notice.includes('you pay by that final weight')).toBe(isNamed)
})

it.each([
  ['are known', new Map([[1, { ...cow, delivery_date: '2027-05-12' }]]), true],
  ['are not loaded yet', new Map(), false],
])('where the products %s, the notice names a delivery date: %s', (_, fresh, isNamed) => {
  const day = isNamed ? '2027-05-12' : '2026-12-02'
  const checkout = {
    shop: { cutoffHour: 21 },
    quote: { deliveries: 1, split: null, deliverOn: day, isCollection: false, days: [day] },
    listDay: { on: '2026-12-02', isLate: false },
    step: 'cart',
    lines: refreshedLines([cartItemOf(cow)], fresh),
  } as unknown as Checkout
  const notice = renderToStaticMarkup(
    <AppRoot shell={PAGE}>
      <DeliveryNotice checkout={checkout} />
    </AppRoot>,
  )
  expect(/\d+ (May|December)/.test(notice)).toBe(isNamed)
  expect(notice).not.toContain('December')
})
