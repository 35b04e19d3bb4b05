import { type AttemptLimit, countAttempts, uncountAttempts } from '#features/auth/attempts.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** Twenty unknown codes in ten minutes are guesses, not typing errors. */
const UNKNOWN_CODES: AttemptLimit = { max: 20, windowSeconds: 600 }

export interface CouponLimitDeps {
  db: Db
  now: () => Date
  env: { rateLimit: boolean }
}

const counters = (customerId: number) => [{ key: `coupon:${customerId}`, limit: UNKNOWN_CODES }]

/**
 * Counts a code before it is looked up, so that concurrent requests cannot exceed the limit. Returns 0 when the lookup is permitted, else
 * the seconds until the next attempt.
 */
export function countCouponAttempt({ db, now, env }: CouponLimitDeps, customerId: number): Promise<number> {
  return env.rateLimit ? countAttempts(db, counters(customerId), now()) : Promise.resolve(0)
}

/** Removes one count: the code exists, or was not looked up. */
export async function uncountCouponAttempt({ db, now, env }: CouponLimitDeps, customerId: number): Promise<void> {
  if (env.rateLimit) await uncountAttempts(db, counters(customerId), now())
}
