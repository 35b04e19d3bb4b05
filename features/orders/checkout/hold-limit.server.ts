import type { Settings } from '#features/settings/settings.ts'
import { clientNetwork } from '#lib/http/client-network.ts'
import { mark } from '#lib/crypto/keys.server.ts'

/** The sender of an order with animals. */
export interface Holder {
  /** SHA-256 in hexadecimal of the secret that this server issued to the browser; null for a request without one. */
  browserHash: string | null
  ip: string
}

/**
 * The keys and limits by which `insert_orders` counts unpaid animals. The limits stand in one transaction with the order, so that
 * orders placed at once count each other. Requests without a browser's secret share the limit of one browser for each network:
 * the pages that orders are placed from give every browser a secret.
 */
export function holdKeys(
  { browserHash, ip }: Holder,
  isPhoneProven: boolean,
  limits: Settings['holds'],
  { sessionSecret, rateLimit }: { sessionSecret: string; rateLimit: boolean },
) {
  const network = clientNetwork(ip)
  const keyOf = (use: string) => mark(sessionSecret, use, network).toString('hex')
  return {
    browser: browserHash ?? keyOf('holds-without-browser'),
    network: keyOf('holds-of-network'),
    proven: isPhoneProven,
    per_phone: rateLimit ? (isPhoneProven ? limits.perProvenPhone : limits.perPhone) : null,
    per_browser: isPhoneProven ? limits.perProvenPhone : limits.perBrowser,
    per_network: limits.perNetwork,
  }
}
