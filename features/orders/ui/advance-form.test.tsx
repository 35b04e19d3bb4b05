import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import '#messages/en-account.ts'
import { AppRoot, type PageContextValue } from '#page/page-context.tsx'
import type { OrderJson } from '../types.ts'
import { AdvancePanel } from './advance-form.tsx'

const PAGE = { lang: 'en', path: '/invoice/1', shop: { phone: '01712345678' } } as PageContextValue
const order = {
  status: 'placed',
  payment_type: 'partial',
  payment_gateway: 'NONE',
  payable: 10_000,
  paid: 0,
  due: 120_000,
  advance_missing: 0,
  expires_at: null,
  advances: [],
  lines: [{ tag_number: 'K-101' }],
} as unknown as OrderJson

function shown(bkash: string | null): string {
  const bank = { bank: '', branch: '', accountName: '', accountNumber: '', routingNumber: '' }
  const done = () => Promise.resolve(null)
  return renderToStaticMarkup(
    <AppRoot shell={PAGE}>
      <AdvancePanel
        order={order}
        payTo={bkash === null ? null : { bank, bkash, nagad: '' }}
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

it('without an account the customer is told to call', () => {
  const panel = shown(null)
  expect(panel).toContain('Call 01712345678 to pay ৳10,000.')
  expect(panel).not.toMatch(/<form|transaction|K-101/)
})
