import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '#messages/en-account.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { poisha } from '#lib/format/money.ts'
import type { Quote } from '#features/pricing/quote-rules.ts'
import { OrderSummary } from './order-summary.tsx'

it('a screen reader hears the total when it changes, with its name', () => {
  const zero = poisha(0)
  const sums = { subtotal: poisha(50_000), total: poisha(56_000), payable: zero, delivery: poisha(6000), deliverySaved: zero }
  const quote = { ...sums, lines: [], discount: zero, couponDiscount: zero, productDiscount: zero, coupon: null } as unknown as Quote
  const html = renderToStaticMarkup(
    <AppRoot shell={{ lang: 'en' } as PageContextValue}>
      <OrderSummary quote={quote} areaName={null} />
    </AppRoot>,
  )
  expect(html).toMatch(/<div aria-live="polite" aria-atomic="true"[^>]*><dt>Total<\/dt><dd>৳560<\/dd><\/div>/)
})
