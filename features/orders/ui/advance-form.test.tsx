import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '#messages/en-account.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import { UNPAID_ADVANCE } from '../testing/unpaid-advance.ts'
import type { OrderJson } from '../types.ts'
import { AdvancePanel } from './advance-form.tsx'

const PAGE = { lang: 'en', path: '/invoice/1', shop: { phone: '01712345678' }, sendsSms: true } as PageContextValue

function shown(
  bkash: string | null,
  { sendsSms = true, more = {}, nagad = '' }: { sendsSms?: boolean; more?: object; nagad?: string } = {},
): string {
  const bank = { bank: '', branch: '', accountName: '', accountNumber: '', routingNumber: '' }
  const done = () => Promise.resolve(null)
  return renderToStaticMarkup(
    <AppRoot shell={{ ...PAGE, sendsSms }}>
      <AdvancePanel
        order={{ ...UNPAID_ADVANCE, ...more } as OrderJson}
        payTo={bkash === null ? null : { bank, bkash, nagad }}
        hours={24}
        onReport={done}
        onConfirmPhone={done}
      />
    </AppRoot>,
  )
}

it('an advance is reported where the shop has an account for it', () => {
  expect(shown('01811111111')).toMatch(/Send ৳10,000 to keep the booking, then enter the transaction ID below\..*01811111111.*<form/)
})

it('the only account is chosen; of several the customer chooses', () => {
  const radios = (panel: string) => [...panel.matchAll(/<input[^>]*type="radio"[^>]*>/g)].map(([radio]) => radio.includes('checked'))
  expect(radios(shown('01811111111'))).toEqual([true])
  expect(radios(shown('01811111111', { nagad: '01822222222' }))).toEqual([false, false])
})

it('without an account the customer is told to call', () => {
  const panel = shown(null)
  expect(panel).toContain('Call 01712345678 to pay ৳10,000.')
  expect(panel).not.toMatch(/<form|transaction|K-101/)
})

it('a shop without SMS offers no code and promises none', () => {
  const unverified = { more: { expires_at: '2026-11-20T06:30:00Z', phone_verified: false, phone: '01712345678' } }
  expect(shown('01811111111', unverified)).toContain('Confirm 01712345678 with a code that we send by SMS.')
  expect(shown('01811111111', { ...unverified, sendsSms: false })).not.toMatch(/Confirm phone|code that we send/)
  const reported = { more: { advances: [{ state: 'waiting', method: 'bkash', transaction_id: '8N7A6D5F4G', amount: 100 }] } }
  expect(shown('01811111111', reported)).toContain('We’ll verify it and send you an SMS.')
  expect(shown('01811111111', { ...reported, sendsSms: false })).toContain('We’ll verify it; the result is shown here.')
})
