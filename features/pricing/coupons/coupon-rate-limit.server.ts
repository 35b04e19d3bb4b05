import { type AttemptLimit, countAttempt, uncountAttempt } from '#features/auth/attempts.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** Nobody mistypes twenty codes in ten minutes; who guesses has to wait. */
const UNKNOWN_CODES: AttemptLimit = { most: 20, windowSeconds: 600 }

export interface GuessDeps {
  db: Db
  now: () => Date
  env: { rateLimit: boolean }
}

/**
 * Counts a code that a customer names, before it is looked up: of many named at once no more are looked at. Answers 0 when it may be,
 * else the seconds until the next one may.
 */
export function recordFailedCoupon({ db, now, env }: GuessDeps, customerId: number): Promise<number> {
  return env.rateLimit ? countAttempt(db, `coupon:${customerId}`, UNKNOWN_CODES, now()) : Promise.resolve(0)
}

/** Takes the count back: the code exists, or was not looked up after all. */
export async function refundCouponRateLimit({ db, now, env }: GuessDeps, customerId: number): Promise<void> {
  if (env.rateLimit) await uncountAttempt(db, `coupon:${customerId}`, UNKNOWN_CODES, now())
}
