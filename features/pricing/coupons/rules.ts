// Whether a customer can use a coupon.
//
// A coupon is valid from its start to its end, up to its limits of uses in total and for one customer, for a subtotal of at least its
// minimum, and for signed-in customers only. A coupon for first orders needs a customer without other orders, cancelled ones aside. A use
// counts when the order is placed and is released when the order is cancelled or expires, but not when it is returned. The discount is
// computed in ../rules.ts.
import { latinDigits } from '#lib/format/numbers.ts'
import type { Poisha } from '#lib/format/money.ts'
import { sanitizeText, isStorable } from '#lib/format/text.ts'
import type { CouponOutcome } from '../quote-rules.ts'
import type { Coupon, CouponKind } from '../rules.ts'

/** In the order of the admin form. */
export const COUPON_SCOPES = ['all', 'categories', 'products'] as const
export type CouponScope = (typeof COUPON_SCOPES)[number]

/** The terms of a coupon; instants in milliseconds, null where there is no limit. */
export interface CouponTerms {
  id: number
  code: string
  kind: CouponKind
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

/** The history of the customer that the terms depend on. */
export interface CouponCustomer {
  /** Uses of this coupon, without those of cancelled orders. */
  uses: number
  /** Has an order that was not cancelled. */
  hasOrdered: boolean
}

/** Why a coupon cannot be used; each is the end of a message key. An inactive coupon is unknown. */
export type CouponError =
  | 'unknown'
  | 'not-yet'
  | 'expired'
  | 'used-up'
  | 'used-by-you'
  | 'first-order-only'
  | 'below-minimum'
  | 'not-applicable'
  | 'sign-in'

/** The code in its stored form: capitals, Latin digits, no spaces; null when it is no valid code. */
export function normalizeCouponCode(typed: string): string | null {
  if (typed.length > 200 || !isStorable(typed)) return null
  const code = latinDigits(sanitizeText(typed)).replace(/\s+/g, '').toUpperCase()
  return /^[A-Z0-9][A-Z0-9_-]{2,31}$/.test(code) ? code : null
}

type Period = Pick<CouponTerms, 'startsAt' | 'endsAt'>

export const isNotYetValid = ({ startsAt }: Period, now: Date): boolean => startsAt !== null && now.getTime() < startsAt
/** The last moment is not included. */
export const isExpired = ({ endsAt }: Period, now: Date): boolean => endsAt !== null && now.getTime() >= endsAt
/** Whether the uses of all customers have reached the limit. SQL `redeem_coupon` decides when the order is written. */
export const isUsedUp = ({ maxUses, uses }: Pick<CouponTerms, 'maxUses' | 'uses'>): boolean => maxUses !== null && uses >= maxUses

/** Why this customer cannot use the coupon now, regardless of the cart; null when it can be used. */
export function couponError(terms: CouponTerms, customer: CouponCustomer, now: Date): CouponError | null {
  if (!terms.active) return 'unknown'
  if (isNotYetValid(terms, now)) return 'not-yet'
  if (isExpired(terms, now)) return 'expired'
  if (isUsedUp(terms)) return 'used-up'
  if (terms.maxUsesPerCustomer !== null && customer.uses >= terms.maxUsesPerCustomer) return 'used-by-you'
  return terms.firstOrderOnly && customer.hasOrdered ? 'first-order-only' : null
}

/** Why an order that is priced with the coupon cannot use it; null when it can. */
export function quotedError(terms: CouponTerms, quote: { subtotal: Poisha; coupon: CouponOutcome | null }): CouponError | null {
  if (quote.subtotal < terms.minSubtotal) return 'below-minimum'
  return quote.coupon === 'not-applicable' ? 'not-applicable' : null
}

/** The coupon as the pricing rules take it, with those of the products that it applies to. */
export function couponFor(terms: CouponTerms, products: readonly { id: number; categoryIds: readonly number[] }[]): Coupon {
  const { kind, percentBp, maxDiscount, value } = terms
  const inCategory = () => products.filter((product) => product.categoryIds.some((id) => terms.categoryIds.includes(id)))
  const productIds = terms.scope === 'products' ? terms.productIds : terms.scope === 'all' ? [] : inCategory().map((product) => product.id)
  return { kind, percentBp, maxDiscount, value, appliesToAll: terms.scope === 'all', productIds }
}
