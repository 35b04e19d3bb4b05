import { type CountedAttempt, countAttempts, uncountAttempts } from '#features/auth/attempts.server.ts'
import { DAY_SECONDS as DAY, HOUR_SECONDS as HOUR } from '#lib/format/time.ts'
import { clientSite } from '#lib/http/client-network.ts'
import type { Db } from '#lib/db/db.server.ts'

interface Deps {
  db: Db
  now: () => Date
  env: { rateLimit: boolean }
}

export interface TrackingRequest {
  orderId: number
  /** `01XXXXXXXXX` */
  phone: string
  ip: string
}

export type TrackingResult =
  | { ok: true; path: string }
  /** No such order, or another phone: the caller cannot tell them apart. */
  | { ok: false; reason: 'not-found' }
  | { ok: false; reason: 'too-many'; retryAfter: number }

/**
 * Finds the tracking page of an order by its number and phone. Failed attempts are limited per network and order, per order, and per network,
 * so that a phone cannot be guessed [E7].
 */
export async function findTracking({ db, now, env }: Deps, { orderId, phone, ip }: TrackingRequest): Promise<TrackingResult> {
  const site = clientSite(ip)
  const counters: CountedAttempt[] = [
    { key: `track:${site}:${orderId}`, limit: { max: 10, windowSeconds: HOUR } },
    // A fifth of the order's limit: one network alone does not close the order for its customer.
    { key: `track:${site}:${orderId}`, limit: { max: 20, windowSeconds: DAY } },
    { key: `track-order:${orderId}`, limit: { max: 100, windowSeconds: DAY } },
    { key: `track-from:${site}`, limit: { max: 300, windowSeconds: HOUR } },
  ]
  const retryAfter = env.rateLimit ? await countAttempts(db, counters, now()) : 0
  if (retryAfter > 0) return { ok: false, reason: 'too-many', retryAfter }
  const order = await db
    .selectFrom('orders')
    .select('tracking_code')
    .where('id', '=', orderId)
    .where('phone', '=', phone)
    .executeTakeFirst()
  if (!order) return { ok: false, reason: 'not-found' }
  if (env.rateLimit) await uncountAttempts(db, counters, now())
  return { ok: true, path: `/track/${order.tracking_code}` }
}
