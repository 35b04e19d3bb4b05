import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '#messages/en-account.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import type { OrderJson } from '../types.ts'
import { PaymentPanel } from './payment-panel.tsx'

const PAGE = { lang: 'en', path: '/invoice/1' } as PageContextValue

function shown(due: number, attempt: object | null = null, status = 'placed'): string {
  const order = {
    status,
    events: [],
    payment_type: 'full',
    payable: 1000,
    paid: 1000,
    due,
    advance_missing: 0,
    advances: [],
    attempt,
    expires_at: null,
  } as unknown as OrderJson
  return renderToStaticMarkup(
    <AppRoot shell={PAGE}>
      <PaymentPanel order={order} waiting={{ isSlow: false, isOffline: false }} suffix="" onPay={null} />
    </AppRoot>,
  )
}

it.each([
  [0, /Paid in full<\/h2><\/section>/],
  [500, /Partly paid.*৳500 due on delivery\./],
  [-300, /Refund due<\/h2><\/section>/],
])('a paid order that an edit left with ৳%s due says so', (due, text) => {
  expect(shown(due)).toMatch(text)
})

it.each([
  ['pending', /Partly paid.*We are checking with the payment company/],
  ['failed', /Partly paid.*Payment unsuccessful/],
])('a payment of the rest that is %s says so', (state, text) => {
  expect(shown(500, { state, is_rest: true, is_cancelled: false })).toMatch(text)
})

it('what a delivered order leaves due is not due on delivery', () => {
  expect(shown(500, null, 'delivered')).toMatch(/Partly paid.*৳500 is still due\./)
})

it.each([
  [-900, /This order was cancelled\..*You will be refunded ৳900\./],
  [0, /This order was cancelled\..*You can order again any time\./],
])('a cancelled order with ৳%s due names the refund that is due, not what the shop keeps of the payment', (due, text) => {
  expect(shown(due, null, 'cancelled')).toMatch(text)
})
