// Prices, charges and sums.
//
// An order pays one delivery charge, the dearest among its items: what the area charges for cattle or for
// produce, or else what the product charges. A coupon takes the place of the product discounts, unless those are worth more.
// Whoever pays a part pays at least the delivery and the advance of the items.
import { poisha, share, sum, ZERO } from '#lib/format/money.ts'
import type { Poisha } from '#lib/format/money.ts'
import { refused, ok } from '#lib/result.ts'
import type { Result } from '#lib/result.ts'
import type { DeliveryGroup } from '../catalog/types.ts'

const WHOLE = 10_000

/** A unit price times a quantity in thousandths, to the poisha, half up. */
export function lineTotal(unitPrice: Poisha, quantityMilli: number): Poisha {
  return poisha(share(quantityMilli, unitPrice, 1000))
}

/** What an area says about a delivery group. A charge of null, or no entry at all, leaves the product's own charge. */
export type AreaCharges = Partial<Record<DeliveryGroup, { open: boolean; charge: Poisha | null }>>

/** A delivery charge of an area: poisha, null for the product's own charge, or closed for that delivery group. */
type AreaCharge = number | null | 'closed'

/** The charges of an area for the rules. The only place that reads the two groups of an area. */
export function areaCharges({ cattle, produce }: { cattle: AreaCharge; produce: AreaCharge }): AreaCharges {
  const toCharge = (value: AreaCharge) =>
    value === 'closed' ? { open: false, charge: null } : { open: true, charge: value as Poisha | null }
  return { cattle: toCharge(cattle), produce: toCharge(produce) }
}

export interface DeliveredItem {
  deliveryGroup: DeliveryGroup
  shipping: Poisha
}

/** The delivery charge of an order: the highest among its items. Before an area is chosen (null), each product's own charge counts. */
export function deliveryCharge(
  items: readonly DeliveredItem[],
  area: AreaCharges | null,
): Result<Poisha, 'area-closed-for-cattle' | 'area-closed-for-produce'> {
  const closed = items.find((item) => area?.[item.deliveryGroup]?.open === false)
  if (closed !== undefined) return refused(closed.deliveryGroup === 'cattle' ? 'area-closed-for-cattle' : 'area-closed-for-produce')
  return ok(poisha(Math.max(0, ...items.map((item) => area?.[item.deliveryGroup]?.charge ?? item.shipping))))
}

/** How much of a line is asked in advance: an amount, a share in hundredths of a percent, and the figure it is raised to a multiple of. */
export interface AdvanceTerms {
  minimum: Poisha
  percentBp: number
  roundTo: Poisha
}

/** The advance of a line: the larger of minimum and share, raised to a multiple of the round figure, never above the line. */
export function lineAdvance(total: Poisha, terms: AdvanceTerms): Poisha {
  const asked = Math.max(terms.minimum, share(total, terms.percentBp, WHOLE))
  const step = Math.max(1, terms.roundTo)
  const raised = asked % step === 0 ? asked : asked - (asked % step) + step
  return poisha(Math.min(raised, total))
}

/** What a coupon gives. A percentage is in hundredths of a percent; `value` is taka off, or the delivery charge that is left. */
export interface Coupon {
  kind: 'percentage' | 'free_shipping' | 'others'
  percentBp: number
  /** Null or zero: no cap. */
  maxDiscount: Poisha | null
  value: Poisha
  appliesToAll: boolean
  productIds: readonly number[]
}

export interface CouponLine {
  productId: number
  /** At the base price: a coupon replaces product discounts. */
  baseTotal: Poisha
  couponApplicable: boolean
}

/** Whether a coupon speaks of a line. Free delivery needs a listed product only; money off needs one flagged for coupons. */
export function couponCovers(coupon: Coupon, line: CouponLine): boolean {
  const listed = coupon.appliesToAll || coupon.productIds.includes(line.productId)
  return listed && (coupon.kind === 'free_shipping' || line.couponApplicable)
}

/** What a coupon takes off the eligible lines: a percentage in whole taka, half up, then capped; a fixed sum never above the lines. */
export function couponDiscount(coupon: Coupon, lines: readonly CouponLine[]): Poisha {
  if (coupon.kind === 'free_shipping') return ZERO
  const eligible = sum(lines.filter((line) => couponCovers(coupon, line)).map((line) => line.baseTotal))
  if (coupon.kind === 'others') return poisha(Math.min(Math.max(0, coupon.value), eligible))
  const percent = share(eligible, Math.max(0, coupon.percentBp), WHOLE * 100) * 100
  const cap = coupon.maxDiscount === null || coupon.maxDiscount <= 0 ? percent : coupon.maxDiscount
  return poisha(Math.min(percent, cap, eligible))
}

/** The delivery charge under a coupon: free delivery leaves its own value, and never makes delivery dearer. */
export function couponDelivery(coupon: Coupon | null, lines: readonly CouponLine[], delivery: Poisha): Poisha {
  if (coupon?.kind !== 'free_shipping' || !lines.some((line) => couponCovers(coupon, line))) return delivery
  return poisha(Math.min(delivery, Math.max(0, coupon.value)))
}

/** What an order costs: subtotal at base prices, plus delivery, less the discount (which never exceeds the subtotal). */
export function orderTotal(subtotal: Poisha, delivery: Poisha, discount: Poisha): Poisha {
  return poisha(subtotal + delivery - Math.min(discount, subtotal))
}
