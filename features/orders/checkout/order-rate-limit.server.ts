import { type AttemptLimit, type CountedAttempt, countAttempts, uncountAttempts } from '#features/auth/attempts.server.ts'
import { DAY_SECONDS as DAY, HOUR_SECONDS as HOUR } from '#lib/format/time.ts'
import { clientNetwork, clientSite } from '#lib/http/client-network.ts'
import type { Db } from '#lib/db/db.server.ts'

// Thousands of shoppers share one address of a mobile operator [E7]. So browsers and phones have low limits, networks high ones.
const PER_STATED_PHONE: AttemptLimit = { max: 10, windowSeconds: HOUR }
const PER_STATED_PHONE_AND_DAY: AttemptLimit = { max: 30, windowSeconds: DAY }
/** For a customer who orders with the account's verified phone. */
const PER_ACCOUNT: AttemptLimit = { max: 60, windowSeconds: HOUR }
const PER_BROWSER: AttemptLimit = { max: 30, windowSeconds: HOUR }
/** The order pages give each browser a token. Requests without one come from programs. */
const PER_NETWORK_WITHOUT_BROWSER: AttemptLimit = { max: 60, windowSeconds: HOUR }
const PER_NETWORK: AttemptLimit = { max: 1000, windowSeconds: HOUR }
const PER_SITE: AttemptLimit = { max: 5000, windowSeconds: HOUR }

interface LimitDeps {
  db: Db
  now: () => Date
  env: { rateLimit: boolean }
}

/** The sender of an order, and the phone of the order. */
export interface OrderSender {
  /** The phone that gets the SMS, `01XXXXXXXXX`. */
  phone: string
  /** The phone is the verified phone of the signed-in customer. */
  isOwnPhone: boolean
  userId: number | null
  /** SHA-256 of the browser's order access token; null for a request without one. */
  browserHash: string | null
  ip: string
}

/** Counts an order of this sender in one statement. Returns 0, or the seconds until the next order is accepted. */
export async function checkOrderRateLimit({ db, now, env }: LimitDeps, sender: OrderSender): Promise<number> {
  return env.rateLimit ? countAttempts(db, countersOf(sender), now()) : 0
}

/** Uncounts an order that was not placed, so that the shopper may try another product. */
export async function refundOrderRateLimit({ db, now, env }: LimitDeps, sender: OrderSender): Promise<void> {
  if (env.rateLimit) await uncountAttempts(db, countersOf(sender), now())
}

function countersOf({ phone, isOwnPhone, userId, browserHash, ip }: OrderSender): CountedAttempt[] {
  const [network, site] = [clientNetwork(ip), clientSite(ip)]
  const phones: CountedAttempt[] = isOwnPhone
    ? []
    : [
        { key: `order:${phone}`, limit: PER_STATED_PHONE },
        { key: `order-day:${phone}`, limit: PER_STATED_PHONE_AND_DAY },
      ]
  const browser: CountedAttempt =
    userId !== null
      ? { key: `order-user:${userId}`, limit: isOwnPhone ? PER_ACCOUNT : PER_BROWSER }
      : browserHash !== null
        ? { key: `order-browser:${browserHash}`, limit: PER_BROWSER }
        : { key: `order-no-browser:${network}`, limit: PER_NETWORK_WITHOUT_BROWSER }
  const networks = [{ key: `order-from:${network}`, limit: PER_NETWORK }]
  if (site !== network) networks.push({ key: `order-site:${site}`, limit: PER_SITE })
  return [...phones, browser, ...networks]
}
