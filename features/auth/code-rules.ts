// Codes by SMS.
//
// A code has six figures, lives five minutes and works once, in the browser that asked for it, for what it was asked for. Five wrong
// ones end the request; fifteen wrong ones in a day end the codes of that number until tomorrow, however often a new one was sent.
// A number gets three codes in a quarter of an hour and ten a day. An address of the network may stand for a whole mobile operator, so
// it is counted far above what people do. All codes of a day together have a budget: somebody who makes us send texts to strangers
// costs us money, and the owner hears of it.
import { latinDigits } from '#lib/numbers.ts'

export const CODE_MINUTES = 5
/** A request that was not finished by then must be begun again, new codes or not. */
export const REQUEST_MINUTES = 30
export const TRIES_PER_REQUEST = 5
/** A new code can be asked for after so long. */
export const RESEND_SECONDS = 45

const DAY = 86_400
export const SENT = {
  perNumber: { most: 3, windowSeconds: 900 },
  perNumberAndDay: { most: 10, windowSeconds: DAY },
  perAddress: { most: 300, windowSeconds: 3600 },
  inAll: { most: 5_000, windowSeconds: DAY },
} as const
export const WRONG = {
  perNumberAndDay: { most: 15, windowSeconds: DAY },
  perAddress: { most: 1_000, windowSeconds: 3600 },
} as const

/** The six figures of a typed code, Bengali ones and spaces allowed; null when it cannot be one. */
export function readCode(typed: string): string | null {
  if (typed.length > 40) return null
  const figures = latinDigits(typed.normalize('NFKC')).replace(/[\s-]/g, '')
  return /^\d{6}$/.test(figures) ? figures : null
}
