import type { Settings } from '#features/settings/settings.ts'
import { clientNetwork } from '#lib/http/client-network.ts'
import { hmac } from '#lib/crypto/keys.server.ts'

/** The sender of an order with animals. */
export interface Holder {
  /** SHA-256, in hexadecimal, of the browser's order access token; null for a request without one. */
  browserHash: string | null
  ip: string
}

/**
 * The keys and limits by which `insert_orders` counts unpaid animals, in the transaction of the order: concurrent orders count each other.
 * Requests without a token share one browser limit per network, because the order pages give every browser a token.
 */
export function holdKeys(
  { browserHash, ip }: Holder,
  isPhoneVerified: boolean,
  limits: Settings['holds'],
  { sessionSecret, rateLimit }: { sessionSecret: string; rateLimit: boolean },
) {
  const network = clientNetwork(ip)
  const keyOf = (use: string) => hmac(sessionSecret, use, network).toString('hex')
  return {
    browser: browserHash ?? keyOf('holds-without-browser'),
    network: keyOf('holds-of-network'),
    proven: isPhoneVerified,
    per_phone: rateLimit ? (isPhoneVerified ? limits.perProvenPhone : limits.perPhone) : null,
    per_browser: isPhoneVerified ? limits.perProvenPhone : limits.perBrowser,
    per_network: limits.perNetwork,
  }
}
