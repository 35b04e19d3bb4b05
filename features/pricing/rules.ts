// Line totals, delivery charges, advances and coupon discounts.
//
// An order has one delivery charge, the highest among its items: the area's charge for cattle or produce, or else the product's own.
// A coupon replaces the product discounts, unless those are higher. A partial payment is at least the delivery charge and the advance.
import { poisha, share, shareInTaka, sum, WHOLE_PERCENT, ZERO, type Poisha } from '#lib/format/money.ts'
import { refused, ok, type Result } from '#lib/result.ts'
import { type AreaCharge, DELIVERY_GROUPS, type DeliveryGroup } from '../catalog/types.ts'

/** The charges of an area by delivery group. A charge of null, or no entry, means the product's own charge. */
export type AreaCharges = Partial<Record<DeliveryGroup, { open: boolean; charge: Poisha | null }>> & {
  /** The weekdays without delivery to the area, 0 for Sunday; absent: none. */
  closedWeekdays?: readonly number[]
}

/** An area as it is stored. */
interface AreaTerms {
  cattle: AreaCharge
  produce: AreaCharge
  closed_weekdays?: readonly number[]
}

/** The charges and closed weekdays of an area in the form of the pricing rules. */
export function areaCharges({ cattle, produce, closed_weekdays }: AreaTerms): AreaCharges {
  const toCharge = (value: AreaCharge) =>
    value === 'closed' ? { open: false, charge: null } : { open: true, charge: value as Poisha | null }
  return { cattle: toCharge(cattle), produce: toCharge(produce), ...(closed_weekdays?.length ? { closedWeekdays: closed_weekdays } : {}) }
}

export interface DeliveredItem {
  deliveryGroup: DeliveryGroup
  shipping: Poisha
}

/** Why an area takes no order with products of these groups; null when it is open for all. */
export function findAreaClosure(
  groups: readonly DeliveryGroup[],
  area: AreaCharges | null,
): 'area-closed-for-cattle' | 'area-closed-for-produce' | null {
  const closed = DELIVERY_GROUPS.find((group) => groups.includes(group) && area?.[group]?.open === false)
  return closed === undefined ? null : `area-closed-for-${closed}`
}

/** The delivery charge of an order: the highest among its items. Before an area is chosen (null), each product's own charge counts. */
export function deliveryCharge(
  items: readonly DeliveredItem[],
  area: AreaCharges | null,
): Result<Poisha, NonNullable<ReturnType<typeof findAreaClosure>>> {
  const closure = findAreaClosure(
    items.map((item) => item.deliveryGroup),
    area,
  )
  if (closure !== null) return refused(closure)
  return ok(poisha(Math.max(0, ...items.map((item) => area?.[item.deliveryGroup]?.charge ?? item.shipping))))
}

/** The advance of a line: a minimum, a share in hundredths of a percent, and the amount whose multiple it is rounded up to. */
export interface AdvanceTerms {
  minimum: Poisha
  percentBp: number
  roundTo: Poisha
}

/** The advance of a line: the larger of minimum and share, rounded up to a multiple of `roundTo`, at most the line total. */
export function lineAdvance(total: Poisha, terms: AdvanceTerms): Poisha {
  const asked = Math.max(terms.minimum, share(total, terms.percentBp, WHOLE_PERCENT))
  const step = Math.max(1, terms.roundTo)
  const raised = asked % step === 0 ? asked : asked - (asked % step) + step
  return poisha(Math.min(raised, total))
}

/** In the order of the admin form. */
export const COUPON_KINDS = ['percentage', 'others', 'free_shipping'] as const
export type CouponKind = (typeof COUPON_KINDS)[number]

/** A coupon. `percentBp` is in hundredths of a percent; `value` is the amount off, or the remaining delivery charge. */
export interface Coupon {
  kind: CouponKind
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

/** Whether a coupon applies to a line. Free delivery needs a listed product only; a discount also needs one flagged for coupons. */
export function couponCovers(coupon: Coupon, line: CouponLine): boolean {
  const listed = coupon.appliesToAll || coupon.productIds.includes(line.productId)
  return listed && (coupon.kind === 'free_shipping' || line.couponApplicable)
}

/** The discount on the eligible lines: a percentage in whole taka, half up, then capped; a fixed amount is at most their total. */
export function couponDiscount(coupon: Coupon, lines: readonly CouponLine[]): Poisha {
  if (coupon.kind === 'free_shipping') return ZERO
  const eligible = sum(lines.filter((line) => couponCovers(coupon, line)).map((line) => line.baseTotal))
  if (coupon.kind === 'others') return poisha(Math.min(Math.max(0, coupon.value), eligible))
  const percent = shareInTaka(eligible, Math.max(0, coupon.percentBp), WHOLE_PERCENT)
  const cap = coupon.maxDiscount === null || coupon.maxDiscount <= 0 ? percent : coupon.maxDiscount
  return poisha(Math.min(percent, cap, eligible))
}

/** The delivery charge with a coupon: free delivery has its own charge, and never raises the charge. */
export function couponDelivery(coupon: Coupon | null, lines: readonly CouponLine[], delivery: Poisha): Poisha {
  if (coupon?.kind !== 'free_shipping' || !lines.some((line) => couponCovers(coupon, line))) return delivery
  return poisha(Math.min(delivery, Math.max(0, coupon.value)))
}

/** The total of an order: subtotal at base prices, plus delivery, less the discount (which never exceeds the subtotal). */
export function orderTotal(subtotal: Poisha, delivery: Poisha, discount: Poisha): Poisha {
  return poisha(subtotal + delivery - Math.min(discount, subtotal))
}
