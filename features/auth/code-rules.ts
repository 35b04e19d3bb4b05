// Codes by SMS.
//
// A code has six figures, lives five minutes and works once, in the browser that asked for it, for what it was asked for. Five wrong
// ones end the request. How many are sent to a number, and how many wrong ones are taken in a day, stands in `limits.server.ts`.
import { latinDigits } from '#lib/format/numbers.ts'

export const CODE_MINUTES = 5
/** A request that was not finished by then must be begun again, new codes or not. */
export const REQUEST_MINUTES = 30
export const TRIES_PER_REQUEST = 5
/** A new code can be asked for after so long. */
export const RESEND_SECONDS = 45

/** The six figures of a typed code, Bengali ones and spaces allowed; null when it cannot be one. */
export function readCode(typed: string): string | null {
  if (typed.length > 40) return null
  const figures = latinDigits(typed.normalize('NFKC')).replace(/[\s-]/g, '')
  return /^\d{6}$/.test(figures) ? figures : null
}
