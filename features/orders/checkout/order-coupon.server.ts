import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import { categoriesOf } from '#features/pricing/coupons/product-categories.server.ts'
import { findCoupon } from '#features/pricing/coupons/queries.server.ts'
import {
  couponFor,
  type CouponRefusal,
  couponRefusal,
  type CouponTerms,
  normaliseCode,
  quotedRefusal,
} from '#features/pricing/coupons/rules.ts'
import type { Quote } from '#features/pricing/quote-rules.ts'
import type { Coupon } from '#features/pricing/rules.ts'
import type { Db } from '#lib/db/db.server.ts'

/** A coupon that an order may use, as the rules take it, with the terms it was read from. */
export interface AppliedCoupon {
  coupon: Coupon
  terms: CouponTerms
}

export type CouponRejection = { ok: false; reason: 'coupon'; refusal: CouponRefusal; terms: CouponTerms | null }

/** The coupon of an order that names one, read afresh; null for an order that names none. Whether its order fits is asked after it is priced. */
export async function readCoupon(
  db: Db,
  input: { couponCode: string | null; userId: number | null },
  products: readonly SoldProductRow[],
  now: Date,
): Promise<{ ok: true; applied: AppliedCoupon | null } | CouponRejection> {
  if (input.couponCode === null) return { ok: true, applied: null }
  if (input.userId === null) return rejected('sign-in')
  const code = normaliseCode(input.couponCode)
  const found = code === null ? null : await findCoupon(db, code, input.userId)
  if (found === null) return rejected('unknown')
  const refusal = couponRefusal(found.terms, found.customer, now)
  if (refusal !== null) return rejected(refusal, found.terms)
  return { ok: true, applied: { terms: found.terms, coupon: couponFor(found.terms, products.map(categoriesOf)) } }
}

/** Why the order as priced cannot use its coupon, or null. */
export function findCouponRejection(applied: AppliedCoupon | null, quote: Quote): CouponRejection | null {
  const refusal = applied === null ? null : quotedRefusal(applied.terms, quote)
  return refusal === null ? null : rejected(refusal, applied?.terms)
}

/** The use that is counted with the order; null when the coupon takes nothing off (the product discounts are worth more, delivery is free anyway). */
export function couponUse(applied: AppliedCoupon | null, quote: Quote) {
  if (applied === null || quote.coupon !== 'applied' || (quote.couponDiscount === 0 && quote.deliverySaved === 0)) return null
  const { id, version } = applied.terms
  return { id, version, discount_poisha: quote.couponDiscount, delivery_saved_poisha: quote.deliverySaved }
}

function rejected(refusal: CouponRefusal, terms: CouponTerms | null = null): CouponRejection {
  return { ok: false, reason: 'coupon', refusal, terms }
}
