import { readTaka, ZERO } from '#lib/format/money.ts'
import { type Coupon, COUPON_KINDS } from '../rules.ts'

/** A valid coupon with its normalized code. */
export interface AppliedCoupon {
  code: string
  coupon: Coupon
}

/** Parses the response of POST /coupons/validate; null when it has no coupon. */
export function couponOf(response: unknown): AppliedCoupon | null {
  const order = (response as { order?: Record<string, unknown> } | null)?.order
  if (typeof order !== 'object' || order === null || typeof order.code !== 'string') return null
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  return {
    code: order.code,
    coupon: {
      kind: COUPON_KINDS.find((kind) => kind === order.coupon_discount_type) ?? 'others',
      percentBp: Math.round(number(order.coupon_percentage) * 100),
      maxDiscount: readTaka(order.max_discount_amount),
      value: readTaka(order.coupon_value) ?? ZERO,
      appliesToAll: order.applies_to_all === true,
      productIds: Array.isArray(order.applicable_products) ? order.applicable_products.map(number) : [],
    },
  }
}
