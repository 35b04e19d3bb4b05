// Who may use a coupon, and when.
//
// A coupon counts from its first moment to its last, as often in all and as often by one customer as it says, for a goods value (the
// subtotal that is shown) of at least its minimum, and only for customers. One for first orders is for who has no other order that
// was not cancelled. A use counts when the order is placed and is given back when it is cancelled or expires; an order that is
// returned keeps it. What a coupon is worth is worked out in ../rules.ts.
import { latinDigits } from '#lib/format/numbers.ts'
import type { Poisha } from '#lib/format/money.ts'
import { sanitizeText, isStorable } from '#lib/format/text.ts'
import type { CouponOutcome } from '../quote-rules.ts'
import type { Coupon } from '../rules.ts'

export type CouponScope = 'all' | 'products' | 'categories'

/** A coupon as the admin made it; instants in milliseconds, null where there is no limit. */
export interface CouponTerms {
  id: number
  code: string
  kind: Coupon['kind']
  percentBp: number
  value: Poisha
  maxDiscount: Poisha | null
  scope: CouponScope
  productIds: readonly number[]
  categoryIds: readonly number[]
  minSubtotal: Poisha
  startsAt: number | null
  endsAt: number | null
  maxUses: number | null
  maxUsesPerCustomer: number | null
  firstOrderOnly: boolean
  active: boolean
  uses: number
  version: number
}

/** What is known of the customer who wants to use it. */
export interface CouponCustomer {
  /** Uses of this coupon that count. */
  uses: number
  /** Has an order that was not cancelled. */
  hasOrdered: boolean
}

/** Why a coupon cannot be used; each is the end of a message's key. A coupon that is switched off is unknown. */
export type CouponRefusal =
  | 'unknown'
  | 'not-yet'
  | 'expired'
  | 'used-up'
  | 'used-by-you'
  | 'first-order-only'
  | 'below-minimum'
  | 'not-applicable'
  | 'sign-in'

/** A code as it is kept: capitals, Latin figures, no spaces; null when it cannot be one. */
export function normaliseCode(typed: string): string | null {
  if (typed.length > 200 || !isStorable(typed)) return null
  const code = latinDigits(sanitizeText(typed)).replace(/\s+/g, '').toUpperCase()
  return /^[A-Z0-9][A-Z0-9_-]{2,31}$/.test(code) ? code : null
}

/** Why this customer cannot use the coupon now, whatever is in the cart; null when it can be used. */
export function couponRefusal(terms: CouponTerms, customer: CouponCustomer, now: Date): CouponRefusal | null {
  if (!terms.active) return 'unknown'
  if (terms.startsAt !== null && now.getTime() < terms.startsAt) return 'not-yet'
  if (terms.endsAt !== null && now.getTime() >= terms.endsAt) return 'expired'
  if (terms.maxUses !== null && terms.uses >= terms.maxUses) return 'used-up'
  if (terms.maxUsesPerCustomer !== null && customer.uses >= terms.maxUsesPerCustomer) return 'used-by-you'
  return terms.firstOrderOnly && customer.hasOrdered ? 'first-order-only' : null
}

/** Why an order, priced with the coupon, cannot use it; null when it can. */
export function quotedRefusal(terms: CouponTerms, quote: { subtotal: Poisha; coupon: CouponOutcome | null }): CouponRefusal | null {
  if (quote.subtotal < terms.minSubtotal) return 'below-minimum'
  return quote.coupon === 'not-applicable' ? 'not-applicable' : null
}

/** The coupon as the pricing rules take it: which of these products it speaks of. */
export function couponFor(terms: CouponTerms, products: readonly { id: number; categoryIds: readonly number[] }[]): Coupon {
  const { kind, percentBp, maxDiscount, value } = terms
  const inCategory = () => products.filter((product) => product.categoryIds.some((id) => terms.categoryIds.includes(id)))
  const productIds = terms.scope === 'products' ? terms.productIds : terms.scope === 'all' ? [] : inCategory().map((product) => product.id)
  return { kind, percentBp, maxDiscount, value, appliesToAll: terms.scope === 'all', productIds }
}
