import { attemptWait, countAttempt, type AttemptLimit } from '#features/auth/attempts.server.ts'
import type { Db } from '#lib/db.server.ts'

/** Nobody mistypes twenty codes in ten minutes; who guesses has to wait. */
const UNKNOWN_CODES: AttemptLimit = { most: 20, windowSeconds: 600 }

export interface GuessDeps {
  db: Db
  now: () => Date
  env: { rateLimit: boolean }
}

/** Seconds until a customer who has named too many unknown codes may name another, right or wrong; 0 when now. */
export function waitForCode({ db, now, env }: GuessDeps, customerId: number): Promise<number> {
  return env.rateLimit ? attemptWait(db, `coupon:${customerId}`, UNKNOWN_CODES, now()) : Promise.resolve(0)
}

/** Counts a code that there is not. */
export async function countUnknownCode({ db, now, env }: GuessDeps, customerId: number): Promise<void> {
  if (env.rateLimit) await countAttempt(db, `coupon:${customerId}`, UNKNOWN_CODES, now())
}
