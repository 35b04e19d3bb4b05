import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import { categoriesOf } from '#features/pricing/coupons/product-categories.server.ts'
import { findCoupon } from '#features/pricing/coupons/queries.server.ts'
import {
  couponFor,
  type CouponError,
  couponError,
  type CouponTerms,
  normalizeCouponCode,
  quotedError,
} from '#features/pricing/coupons/rules.ts'
import { couponShares } from '#features/pricing/coupons/share-rules.ts'
import type { Quote } from '#features/pricing/quote-rules.ts'
import { type Coupon, couponCovers } from '#features/pricing/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type Poisha, ZERO } from '#lib/format/money.ts'

/** A coupon that an order may use: the input of the pricing rules, and the terms that it was read from. */
export interface AppliedCoupon {
  coupon: Coupon
  terms: CouponTerms
}

export type CouponRejection = { ok: false; reason: 'coupon'; refusal: CouponError; terms: CouponTerms | null }

/** Reads the coupon of the request from the database; null without one. `findCouponRejection` checks the order after pricing. */
export async function readCoupon(
  db: Db,
  input: { couponCode: string | null; userId: number | null },
  products: readonly SoldProductRow[],
  now: Date,
): Promise<{ ok: true; applied: AppliedCoupon | null } | CouponRejection> {
  if (input.couponCode === null) return { ok: true, applied: null }
  if (input.userId === null) return rejected('sign-in')
  const code = normalizeCouponCode(input.couponCode)
  const found = code === null ? null : await findCoupon(db, code, input.userId)
  if (found === null) return rejected('unknown')
  const refusal = couponError(found.terms, found.customer, now)
  if (refusal !== null) return rejected(refusal, found.terms)
  return { ok: true, applied: { terms: found.terms, coupon: couponFor(found.terms, products.map(categoriesOf)) } }
}

/** The reason why the priced order cannot use its coupon, or null. */
export function findCouponRejection(applied: AppliedCoupon | null, quote: Quote): CouponRejection | null {
  const refusal = applied === null ? null : quotedError(applied.terms, quote)
  return refusal === null ? null : rejected(refusal, applied?.terms)
}

/**
 * The coupon use to record with the order, the input of SQL `redeem_coupon`; null when the coupon saves nothing, as when product discounts are
 * larger. `retained`: the discounts that lines keep beside the coupon, by product.
 */
export function couponUse(
  applied: AppliedCoupon | null,
  quote: Quote,
  products: readonly SoldProductRow[],
  retained: ReadonlyMap<number, Poisha> = new Map(),
) {
  if (applied === null || quote.coupon !== 'applied' || (quote.couponDiscount === 0 && quote.deliverySaved === 0)) return null
  const { id, version } = applied.terms
  const isApplicable = new Map(products.map((row) => [row.id, row.coupon_applicable]))
  const lines = quote.lines.map((line) => ({
    ...line,
    couponApplicable: isApplicable.get(line.productId) ?? false,
    retained: retained.get(line.productId) ?? ZERO,
  }))
  const lineShares = couponShares(applied.coupon, lines, quote.couponDiscount).flatMap((share, index) =>
    share === 0 ? [] : [{ product_id: lines[index]!.productId, discount_poisha: share }],
  )
  const productIds = lines.filter((line) => couponCovers(applied.coupon, line)).map((line) => line.productId)
  const saved = { discount_poisha: quote.couponDiscount, delivery_saved_poisha: quote.deliverySaved }
  return { id, version, ...saved, product_ids: productIds, lines: lineShares }
}

function rejected(refusal: CouponError, terms: CouponTerms | null = null): CouponRejection {
  return { ok: false, reason: 'coupon', refusal, terms }
}
