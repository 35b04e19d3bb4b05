import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '#messages/en-account.ts'
import { OrderSummary } from '#features/orders/ui/order-summary.tsx'
import { quoteOrder, type QuoteData } from '#features/pricing/quote-rules.ts'
import { poisha, taka, ZERO } from '#lib/format/money.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'

const PAGE = { lang: 'en', path: '/cart' } as PageContextValue
const guava: QuoteData['products'][number] = {
  id: 1,
  name: 'Guava',
  status: 'in-stock',
  basePrice: taka(120),
  discount: null,
  sizesMilli: [],
  isUnique: false,
  stockMilli: null,
  deliveryGroup: 'produce',
  // As the form of a new product leaves it.
  shipping: ZERO,
  advance: { minimum: ZERO, percentBp: 0, roundTo: ZERO },
  couponApplicable: true,
  codAllowed: true,
}

function shownCharge(own: number, area: { name: string; charge: number | null } | null): string | undefined {
  const charges = area && { produce: { open: true, charge: area.charge === null ? null : taka(area.charge) } }
  const products = [{ ...guava, shipping: poisha(own * 100) }]
  const quote = quoteOrder(
    { products, area: charges, coupon: null },
    { lines: [{ productId: 1, quantityMilli: 1000 }], paymentType: null, partial: null },
  )
  const html = renderToStaticMarkup(
    <AppRoot shell={PAGE}>
      <OrderSummary quote={quote} areaName={area?.name ?? null} couponCode={undefined} />
    </AppRoot>,
  )
  return /Delivery charge.*?<dd[^>]*>(.*?)<\/dd>/.exec(html)?.[1]?.trim()
}

it('a product without an own charge is not free before the area is known, whose charge may be added', () => {
  expect(shownCharge(0, null)).toBe('—')
  expect(shownCharge(0, { name: 'Mirpur', charge: 80 })).toBe('৳80')
  expect(shownCharge(0, { name: 'Bogura', charge: null })).toBe('Free')
  expect(shownCharge(60, null)).toBe('৳60')
})
