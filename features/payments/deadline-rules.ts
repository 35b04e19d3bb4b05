// The payment deadline of an unpaid order, at which it is cancelled and its stock released [S3].
//
// It follows from what the order waits for, and counts from placing, or from the report of an advance. Another way to pay, or another
// payment page, restarts it. The times are settings.
import type { Settings } from '#features/settings/settings.ts'

export type Expiry = Settings['expiry']

/**
 * What an unpaid order waits for. `gateway`: an online payment. `unreported`: the report of an advance sent by hand. `verified-phone`: the same
 * with a verified phone. `reported`: the verification of the advance.
 */
export type Waiting = 'gateway' | 'unreported' | 'verified-phone' | 'reported'

/** A restarted deadline is at most this many times the first one after placing. */
const MAX_DEADLINES = 3

/** The payment deadline. `since`: when the order was placed, or when its advance was reported. */
export function expiresAt(since: Date, waiting: Waiting, expiry: Expiry): Date {
  return later(since, minutesOf(waiting, expiry))
}

/** The deadline of an order that now waits for another payment. With a verified phone it counts from placing. */
export function restartedDeadline(now: Date, placedAt: Date, waiting: Exclude<Waiting, 'reported'>, expiry: Expiry): Date {
  const minutes = minutesOf(waiting, expiry)
  if (waiting === 'verified-phone') return later(placedAt, minutes)
  const [full, latest] = [later(now, minutes), later(placedAt, MAX_DEADLINES * minutes)]
  return full < latest ? full : latest
}

function minutesOf(waiting: Waiting, { paymentMinutes, unreportedMinutes, advanceHours }: Expiry): number {
  const day = advanceHours * 60
  // Unreported advances never wait longer than reported ones.
  return { gateway: paymentMinutes, unreported: Math.min(unreportedMinutes, day), 'verified-phone': day, reported: day }[waiting]
}

const later = (than: Date, minutes: number) => new Date(than.getTime() + minutes * 60_000)
