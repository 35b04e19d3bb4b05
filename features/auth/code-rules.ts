// Codes by SMS.
//
// A code has six digits and is valid for five minutes, once, in the browser and for the purpose of its request. Five wrong codes end the
// request. `limits.server.ts` limits the codes sent to a number and the wrong codes of a day.
import { latinDigits } from '#lib/format/numbers.ts'

export const CODE_MINUTES = 5
/** A request expires after this time, even if new codes were sent. */
export const REQUEST_MINUTES = 30
export const TRIES_PER_REQUEST = 5
/** The time before a new code can be requested. */
export const RESEND_SECONDS = 45

/** Parses a typed code into six Latin digits; Bengali digits, spaces and hyphens are allowed. Null when it is no code. */
export function readCode(typed: string): string | null {
  if (typed.length > 40) return null
  const digits = latinDigits(typed.normalize('NFKC')).replace(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : null
}
