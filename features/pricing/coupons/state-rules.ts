import { type CouponTerms, isExpired, isNotYetValid, isUsedUp } from './rules.ts'

/** The state of a coupon in the admin. */
export type CouponState = 'running' | 'not-yet' | 'ended' | 'used-up' | 'off' | 'no-products'

type StateTerms = Pick<CouponTerms, 'active' | 'startsAt' | 'endsAt' | 'maxUses' | 'uses' | 'scope' | 'productIds' | 'categoryIds'>

/** Whether the coupon can be used now by any customer; the reason if not. `no-products`: all products or categories of its scope were deleted. */
export function couponState(terms: StateTerms, now: Date): CouponState {
  if (!terms.active) return 'off'
  if (isExpired(terms, now)) return 'ended'
  if (isUsedUp(terms)) return 'used-up'
  if (terms.scope !== 'all' && terms[terms.scope === 'products' ? 'productIds' : 'categoryIds'].length === 0) return 'no-products'
  return isNotYetValid(terms, now) ? 'not-yet' : 'running'
}
