import type { CouponTerms } from './rules.ts'

/** What a coupon is to the admin now. */
export type CouponState = 'running' | 'not-yet' | 'ended' | 'used-up' | 'off'

/** Whether a coupon can be used now, and if not, why for nobody. */
export function couponState(terms: Pick<CouponTerms, 'active' | 'startsAt' | 'endsAt' | 'maxUses' | 'uses'>, now: Date): CouponState {
  if (!terms.active) return 'off'
  if (terms.endsAt !== null && now.getTime() >= terms.endsAt) return 'ended'
  if (terms.maxUses !== null && terms.uses >= terms.maxUses) return 'used-up'
  return terms.startsAt !== null && now.getTime() < terms.startsAt ? 'not-yet' : 'running'
}
