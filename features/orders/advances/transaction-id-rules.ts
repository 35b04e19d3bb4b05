// Transaction ids of banks and mobile wallets, as customers copy them by hand.
import { latinDigits } from '#lib/format/numbers.ts'
import { sanitizeText } from '#lib/format/text.ts'

/**
 * Normalizes a transaction id to capital letters, digits and inner hyphens without spaces; null when it is not a valid id. The word in front
 * of it in the SMS of bKash (TrxID) and of Nagad and Rocket (TxnID) is not part of it, however often it is repeated: one id has one form, by
 * which a second use is found.
 */
export function normalizeTransactionId(input: string): string | null {
  const id = latinDigits(sanitizeText(input))
    .toUpperCase()
    .replace(/[\s#]/g, '')
    .replace(/^(?:T(?:RX|XN)ID[:-]*)+/, '')
  return /^[A-Z0-9][A-Z0-9-]{4,38}[A-Z0-9]$/.test(id) ? id : null
}
