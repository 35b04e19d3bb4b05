import { type AttemptLimit, countAttempt, uncountAttempt } from '#features/auth/attempts.server.ts'
import type { Db } from '#lib/db.server.ts'
import { normalisePhone } from '#lib/phone.ts'

/** Generous for families and offices, tight for a machine that would hold every cow of the farm. */
const ORDERS_PER_PHONE: AttemptLimit = { most: 100, windowSeconds: 3600 }

interface LimitDeps {
  db: Db
  now: () => Date
  env: { rateLimit: boolean }
}

/** Counts an order of this phone. Answers 0 when it may be placed, else the seconds until the next one may. */
export async function tooManyOrders({ db, now, env }: LimitDeps, phone: string): Promise<number> {
  const known = normalisePhone(phone)
  return env.rateLimit && known !== null ? countAttempt(db, `order:${known}`, ORDERS_PER_PHONE, now()) : 0
}

/** The order was not placed after all: whoever comes too late for one cow may try the next. */
export async function forgiveOrder({ db, now, env }: LimitDeps, phone: string): Promise<void> {
  const known = normalisePhone(phone)
  if (env.rateLimit && known !== null) await uncountAttempt(db, `order:${known}`, ORDERS_PER_PHONE, now())
}
