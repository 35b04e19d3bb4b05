// The number that a bank or a wallet gives a payment: it is copied by hand, and counts once.
import { latinDigits } from '#lib/format/numbers.ts'
import { sanitizeText } from '#lib/format/text.ts'

/** A transaction id as banks and wallets print it: capital letters and figures, no spaces; null when it cannot be one. */
export function normalizeTransactionId(typed: string): string | null {
  const id = latinDigits(sanitizeText(typed)).toUpperCase().replace(/[\s#]/g, '')
  return /^[A-Z0-9-]{6,40}$/.test(id) ? id : null
}
