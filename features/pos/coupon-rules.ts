// Coupons at the POS.
//
// A coupon has the limits and the discount of web checkout and replaces product discounts. It excludes every other reduction of the sale,
// so a supervisor's approval never covers a sale with a coupon. It needs the customer's phone, because its uses are counted by customer.

/** The parts of a sale that a coupon excludes. */
export interface CouponConflicts {
  isExchange: boolean
  hasPhone: boolean
  /** A discount on the sale or on a line. */
  hasDiscount: boolean
  hasSetPrice: boolean
  hasHeld: boolean
}

/** Why a sale cannot use a coupon, or null; the end of a message key. */
export type CouponConflict = 'exchange' | 'phone' | 'discount' | 'set-price' | 'held'

export function couponConflict(sale: CouponConflicts): CouponConflict | null {
  if (sale.isExchange) return 'exchange'
  if (!sale.hasPhone) return 'phone'
  if (sale.hasDiscount) return 'discount'
  if (sale.hasSetPrice) return 'set-price'
  return sale.hasHeld ? 'held' : null
}
