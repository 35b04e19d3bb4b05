import { type AttemptLimit, type CountedAttempt, countAttempts, uncountAttempts } from '#features/auth/attempts.server.ts'
import { clientNetwork, clientSite } from '#lib/http/client-network.ts'
import type { Db } from '#lib/db/db.server.ts'

const HOUR = 3600
const DAY = 86_400

// Thousands of shoppers share one address behind a mobile operator [E7]: browser and phone count first, networks far above what people do.
const PER_STATED_PHONE: AttemptLimit = { most: 10, windowSeconds: HOUR }
const PER_STATED_PHONE_AND_DAY: AttemptLimit = { most: 30, windowSeconds: DAY }
/** A customer who orders for the account's own, confirmed phone. */
const PER_ACCOUNT: AttemptLimit = { most: 60, windowSeconds: HOUR }
const PER_BROWSER: AttemptLimit = { most: 30, windowSeconds: HOUR }
/** The pages that orders are placed from give each browser a secret; requests without one come from programs. */
const PER_NETWORK_WITHOUT_BROWSER: AttemptLimit = { most: 60, windowSeconds: HOUR }
const PER_NETWORK: AttemptLimit = { most: 1000, windowSeconds: HOUR }
const PER_SITE: AttemptLimit = { most: 5000, windowSeconds: HOUR }

interface LimitDeps {
  db: Db
  now: () => Date
  env: { rateLimit: boolean }
}

/** An order is placed by this sender for this phone. */
export interface OrderSender {
  /** The phone that gets the SMS, `01XXXXXXXXX`. */
  phone: string
  /** The phone is the signed-in customer's own, confirmed one. */
  isOwnPhone: boolean
  userId: number | null
  /** SHA-256 of the secret that this server issued to the browser; null for a request without one. */
  browserHash: string | null
  ip: string
}

/** Counts an order of this sender in one statement. Answers 0 when it may be placed, else the seconds until the next one may. */
export async function checkOrderRateLimit({ db, now, env }: LimitDeps, sender: OrderSender): Promise<number> {
  return env.rateLimit ? countAttempts(db, countersOf(sender), now()) : 0
}

/** Takes the count back: the order was not placed. A shopper who comes too late for one cow may try the next. */
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
