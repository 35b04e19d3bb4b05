import { useCallback, useEffect, useState } from 'react'
import type { PaymentChoice } from '#features/orders/checkout/checkout-rules.ts'
import { type GuestDetails, NO_DETAILS } from '#features/orders/checkout/details-rules.ts'
import { readSession, writeSession } from './session-notes.ts'

/** What a shopper has typed and chosen on the way; kept until the tab is closed. */
export interface Draft {
  details: GuestDetails
  choice: PaymentChoice | null
  /** Deliveries asked for, where the goods have different dates. */
  deliveries: 1 | 2
  /** The part to pay, as typed. */
  part: string
  /** The code that is applied, or shall be once the shopper has signed in. */
  voucher: string | null
  /** What was written goes into the address book as well. */
  keepAddress: boolean
  /** The account it was written with; null for a guest. */
  account: number | null
}

const KEY = 'checkoutDraft'
const EMPTY: Draft = { details: NO_DETAILS, choice: null, deliveries: 1, part: '', voucher: null, keepAddress: true, account: null }
const CHOICES = ['full', 'partial', 'advance', 'cash_on_delivery']

/** A kept draft, whatever stands there. What somebody wrote who was signed in is nobody else's; what a guest wrote goes along. */
function readDraft(kept: unknown, account: number | null): Draft {
  const written = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<string, unknown>
  const isOwn = typeof written.account !== 'number' || written.account === account
  const found = isOwn ? written : {}
  const typed = (typeof found.details === 'object' && found.details !== null ? found.details : {}) as Record<string, unknown>
  const text = (field: keyof GuestDetails) => (typeof typed[field] === 'string' ? typed[field].slice(0, 2000) : '')
  return {
    details: {
      name: text('name'),
      email: text('email'),
      phone: text('phone'),
      alternate_phone: text('alternate_phone'),
      address: text('address'),
      landmark: text('landmark'),
      note: text('note'),
      area_id: Number.isSafeInteger(typed.area_id) ? (typed.area_id as number) : null,
    },
    choice: CHOICES.includes(found.choice as string) ? (found.choice as PaymentChoice) : null,
    deliveries: found.deliveries === 2 ? 2 : 1,
    part: typeof found.part === 'string' ? found.part.slice(0, 40) : '',
    voucher: typeof found.voucher === 'string' ? found.voucher.slice(0, 255) : null,
    keepAddress: found.keepAddress !== false,
    account,
  }
}

/** Applies a coupon again to the cart of this tab, for a customer whose order goes back into it. */
export function storeCoupon(code: string): void {
  const kept = readSession(KEY)
  writeSession(KEY, { ...(typeof kept === 'object' ? kept : {}), voucher: code })
}

/** The draft of this tab. Empty fields are filled in from the account once, before anything is typed. `ready` when it has been read. */
export function useDraft(account: { id: number; name: string; phone: string; email: string } | null) {
  const [state, setState] = useState({ draft: EMPTY, ready: false })
  useEffect(() => {
    const { details, ...rest } = readDraft(readSession(KEY), account?.id ?? null)
    const known = account ?? { name: '', phone: '', email: '' }
    const filled = {
      ...details,
      name: details.name || known.name,
      phone: details.phone || known.phone,
      email: details.email || known.email,
    }
    setState({ draft: { details: filled, ...rest }, ready: true })
  }, [account])
  useEffect(() => {
    if (state.ready) writeSession(KEY, state.draft)
  }, [state])
  const change = useCallback((part: Partial<Draft>) => setState((before) => ({ ...before, draft: { ...before.draft, ...part } })), [])
  return { draft: state.draft, ready: state.ready, change }
}
