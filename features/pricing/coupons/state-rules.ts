import type { CouponTerms } from './rules.ts'

/** The state of a coupon in the admin. */
export type CouponState = 'running' | 'not-yet' | 'ended' | 'used-up' | 'off'

/** Whether the coupon can be used now by any customer; the reason if not. */
export function couponState(terms: Pick<CouponTerms, 'active' | 'startsAt' | 'endsAt' | 'maxUses' | 'uses'>, now: Date): CouponState {
  if (!terms.active) return 'off'
  if (terms.endsAt !== null && now.getTime() >= terms.endsAt) return 'ended'
  if (terms.maxUses !== null && terms.uses >= terms.maxUses) return 'used-up'
  return terms.startsAt !== null && now.getTime() < terms.startsAt ? 'not-yet' : 'running'
}
