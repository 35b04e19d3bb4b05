// The discount of a coupon on an order whose lines are edited. The edit and the page of the order call the same function.
import { lineTotal } from '#features/catalog/shown-price-rules.ts'
import { type Coupon, couponDiscount } from '#features/pricing/rules.ts'
import { poisha, type Poisha, sum } from '#lib/format/money.ts'

/** The coupon of an order with the terms with which it was used, and the ordered products that are flagged for coupons. */
export interface OrderedCoupon {
  coupon: Coupon
  applicable: readonly number[]
}

export interface CouponedLine {
  productId: number
  quantityMilli: number
  basePrice: Poisha
  total: Poisha
}

/**
 * The discount on the whole order after an edit of its lines. It falls with the ordered products and never rises. A larger one than the coupon
 * gives for the lines before the edit stays, because staff have set it.
 */
export function couponDiscountAfterEdit(
  { coupon, applicable }: OrderedCoupon,
  unchanged: Poisha,
  before: readonly CouponedLine[],
  lines: readonly CouponedLine[],
): Poisha {
  // As in priceCoupon of phone orders: lines may keep discounts of their own, which the coupon's discount includes.
  const given = (of: readonly CouponedLine[]) => {
    const priced = of.map((line) => ({
      ...line,
      baseTotal: lineTotal(line.basePrice, line.quantityMilli),
      couponApplicable: applicable.includes(line.productId),
    }))
    return couponDiscount(coupon, priced) - sum(priced.map(({ baseTotal, total }) => poisha(baseTotal - total)))
  }
  if (given(before) < unchanged) return unchanged
  const ordered = lines.filter(({ productId }) => before.some((line) => line.productId === productId))
  return poisha(Math.max(0, Math.min(unchanged, given(ordered))))
}
