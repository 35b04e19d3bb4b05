// Transaction ids of banks and mobile wallets, as customers copy them by hand.
import { latinDigits } from '#lib/format/numbers.ts'
import { sanitizeText } from '#lib/format/text.ts'

/** The payment methods that are mobile wallets. Each payment has one id, without hyphens: a typed one would make another id of it. */
export const WALLETS: readonly string[] = ['bkash', 'nagad', 'rocket']

/**
 * Normalizes a transaction id of a payment method to capital letters, digits and inner hyphens without spaces; null when it is not a valid id.
 * The word in front of it in the SMS of bKash (TrxID) and of Nagad and Rocket (TxnID) is not part of it, however often it is repeated: one id
 * has one form, by which a second use is found. `method`: null where it is not known.
 */
export function normalizeTransactionId(input: string, method: string | null): string | null {
  const typed = latinDigits(sanitizeText(input))
    .toUpperCase()
    .replace(/[\s#]/g, '')
    .replace(/^(?:T(?:RX|XN)ID[:-]*)+/, '')
  const id = method !== null && WALLETS.includes(method) ? typed.replaceAll('-', '') : typed
  return /^[A-Z0-9][A-Z0-9-]{4,38}[A-Z0-9]$/.test(id) ? id : null
}
