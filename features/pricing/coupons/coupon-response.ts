import { readTaka, ZERO } from '#lib/format/money.ts'
import type { Coupon } from '../rules.ts'

/** A coupon that the shop has found good, with its code as it is kept. */
export interface AppliedCoupon {
  code: string
  coupon: Coupon
}

/** The coupon in an answer of POST /coupons/validate, as the rules take it; null when the answer says none. */
export function couponOf(answer: unknown): AppliedCoupon | null {
  const said = (answer as { order?: Record<string, unknown> } | null)?.order
  if (typeof said !== 'object' || said === null || typeof said.code !== 'string') return null
  const number = (value: unknown) => (typeof value === 'number' ? value : 0)
  const kind = said.coupon_discount_type
  return {
    code: said.code,
    coupon: {
      kind: kind === 'percentage' || kind === 'free_shipping' ? kind : 'others',
      percentBp: Math.round(number(said.coupon_percentage) * 100),
      maxDiscount: readTaka(said.max_discount_amount),
      value: readTaka(said.coupon_value) ?? ZERO,
      appliesToAll: said.applies_to_all === true,
      productIds: Array.isArray(said.applicable_products) ? said.applicable_products.map(number) : [],
    },
  }
}
