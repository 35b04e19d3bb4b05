import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '#messages/en-account.ts'
import type { PaymentOption } from '#features/orders/checkout/checkout-rules.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { UnpayableNote } from './unpayable-note.tsx'

function shown(options: PaymentOption[], phone = '01700000000'): string {
  const page = { lang: 'en', path: '/cart', shop: { phone } } as PageContextValue
  return renderToStaticMarkup(
    <AppRoot shell={page}>
      <UnpayableNote checkout={{ options }} />
    </AppRoot>,
  )
}

it('a cart that no method takes is said to be so before the details are typed, with the reason and the phone', () => {
  const closed: PaymentOption[] = [
    { choice: 'full', problem: 'payment.closed-now' },
    { choice: 'partial', problem: 'payment.closed-now' },
  ]
  expect(shown(closed)).toMatch(/can’t be paid for as it is.*Online payment is unavailable right now\..*tel:\+8801700000000/)
  expect(shown([{ choice: 'full', problem: 'refusal.advance-above-gateway-maximum' }])).toContain('Please pay in another way, or call us.')
  expect(shown(closed, '')).not.toContain('tel:')
  for (const problem of [null, 'payment.cod-code'] as const) expect(shown([...closed, { choice: 'cash_on_delivery', problem }])).toBe('')
})
