import { useCallback, useEffect, useState } from 'react'
import type { PaymentChoice } from '#features/orders/checkout/checkout-rules.ts'
import type { GuestDetails } from '#features/orders/checkout/details-rules.ts'
import { readSession, writeSession } from '#page/session-notes.ts'

/** The typed and chosen values of a checkout, stored until the tab is closed. */
export interface Draft {
  details: GuestDetails
  choice: PaymentChoice | null
  /** Chosen number of deliveries, where the products have different dates. */
  deliveries: 1 | 2
  /** The chosen delivery day; null for the earliest. */
  deliveryOn: string | null
  /** The customer collects the order at the farm. */
  isCollection: boolean
  /** The partial payment, as typed. */
  part: string
  /** The applied code, or a code to apply after signing in. */
  couponCode: string | null
  /** Whether the typed address is saved to the address book. */
  saveAddress: boolean
  /** The account of the draft; null for a guest. */
  account: number | null
}

const KEY = 'checkoutDraft'
const CHOICES = ['full', 'partial', 'advance', 'cash_on_delivery']
const EMPTY = parseDraft(null, null)

/** Parses a stored draft. The draft of another account is ignored; a guest's draft is used after signing in. */
export function parseDraft(stored: unknown, account: number | null): Draft {
  const values = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const isOwn = typeof values.account !== 'number' || values.account === account
  const found = isOwn ? values : {}
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
    deliveryOn: typeof found.deliveryOn === 'string' ? found.deliveryOn : null,
    isCollection: found.isCollection === true,
    part: typeof found.part === 'string' ? found.part.slice(0, 40) : '',
    couponCode: typeof found.couponCode === 'string' ? found.couponCode.slice(0, 255) : null,
    saveAddress: found.saveAddress !== false,
    account,
  }
}

/** Sets the coupon code in the stored draft, for an order that goes back into the cart. */
export function storeCoupon(code: string): void {
  const stored = readSession(KEY)
  writeSession(KEY, { ...(typeof stored === 'object' ? stored : {}), couponCode: code })
}

/** The draft of this tab. Empty fields are filled in from the account once, before typing. `ready` when it is read. */
export function useDraft(account: { id: number; name: string; phone: string; email: string } | null) {
  const [state, setState] = useState({ draft: EMPTY, ready: false })
  useEffect(() => {
    const { details, ...rest } = parseDraft(readSession(KEY), account?.id ?? null)
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
