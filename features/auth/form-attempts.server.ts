import type { Db } from '#lib/db/db.server.ts'
import { clientNetwork, clientSite } from '#lib/http/client-network.ts'
import { type AttemptLimit, countAttempts } from './attempts.server.ts'
import { HOUR_SECONDS as HOUR } from '#lib/format/time.ts'

/** Far above normal use, because thousands of shoppers share one address of a mobile operator [E7]. */
const PER_NETWORK: AttemptLimit = { max: 300, windowSeconds: HOUR }
const PER_SITE: AttemptLimit = { max: 1500, windowSeconds: HOUR }

/**
 * Counts a public form that was sent with a phone, under the phone, its network and its site. Returns 0 when all are below their limits,
 * else the seconds until they are. `form` begins the keys.
 */
export async function countFormAttempt(
  { db, now, env }: { db: Db; now: () => Date; env: { rateLimit: boolean } },
  form: string,
  { phone, ip }: { phone: string; ip: string },
  perPhoneAndHour: number,
): Promise<number> {
  if (!env.rateLimit) return 0
  const [network, site] = [clientNetwork(ip), clientSite(ip)]
  const counted = [
    { key: `${form}:${phone}`, limit: { max: perPhoneAndHour, windowSeconds: HOUR } },
    { key: `${form}-from:${network}`, limit: PER_NETWORK },
  ]
  if (site !== network) counted.push({ key: `${form}-site:${site}`, limit: PER_SITE })
  return countAttempts(db, counted, now())
}
