import { sql } from 'kysely'
import { type CountedAttempt, countAttempts, uncountAttempts } from '#features/auth/attempts.server.ts'
import { clientNetwork, clientSite } from '#lib/http/client-network.ts'
import type { Db } from '#lib/db/db.server.ts'

const HOUR = 3600
const DAY = 86_400

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
  /** There is no such order, or its phone is another one: the answers are the same. */
  | { ok: false; reason: 'not-found' }
  | { ok: false; reason: 'too-many'; retryAfter: number }

/**
 * The tracking page of an order by its number and phone. Wrong tries are limited for the network with the order, for the order from
 * everywhere, and far above what people do for the network [E7]: a phone cannot be found by guessing.
 */
export async function findTracking({ db, now, env }: Deps, { orderId, phone, ip }: TrackingRequest): Promise<TrackingResult> {
  const counters: CountedAttempt[] = [
    { key: `track:${clientNetwork(ip)}:${orderId}`, limit: { most: 10, windowSeconds: HOUR } },
    { key: `track-order:${orderId}`, limit: { most: 100, windowSeconds: DAY } },
    { key: `track-from:${clientSite(ip)}`, limit: { most: 300, windowSeconds: HOUR } },
  ]
  const retryAfter = env.rateLimit ? await countAttempts(db, counters, now()) : 0
  if (retryAfter > 0) return { ok: false, reason: 'too-many', retryAfter }
  const { rows } = await sql<{ tracking_code: string }>`
    select tracking_code from orders where id = ${orderId} and phone = ${phone}`.execute(db)
  const code = rows[0]?.tracking_code
  if (code === undefined) return { ok: false, reason: 'not-found' }
  if (env.rateLimit) await uncountAttempts(db, counters, now())
  return { ok: true, path: `/track/${code}` }
}
