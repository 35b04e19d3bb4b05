// Transaction ids of banks and mobile wallets, as customers copy them by hand.
import { latinDigits } from '#lib/format/numbers.ts'
import { sanitizeText } from '#lib/format/text.ts'

/**
 * Normalizes a transaction id to capital letters, digits and hyphens without spaces; null when it is not a valid id. The word in front of
 * it in the SMS of bKash (TrxID) and of Nagad and Rocket (TxnID) is not part of it.
 */
export function normalizeTransactionId(input: string): string | null {
  const id = latinDigits(sanitizeText(input))
    .toUpperCase()
    .replace(/[\s#]/g, '')
    .replace(/^T(RX|XN)ID:?/, '')
  return /^[A-Z0-9-]{6,40}$/.test(id) ? id : null
}
