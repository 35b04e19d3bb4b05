// The limit of a cashier's refunds at the POS.
//
// A cashier takes back products alone up to a value of one sale and of one day, within some days of the sale; the owner sets all three. The
// value counts whether it is refunded or lowers a debt on account. Returns that a supervisor approved do not count. Beyond the limit a
// supervisor approves.
import { type Poisha, poisha, ZERO } from '#lib/format/money.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'

/** The owner's setting: whole taka of one sale and of one cashier's day, and days since the sale. */
export interface RefundLimit {
  taka: number
  day_taka: number
  days: number
}

/** The value of returns without a supervisor so far: of the sale by any cashier, and of the day by this cashier. */
export interface UnapprovedRefunds {
  ofSale: Poisha
  ofDay: Poisha
}

/** The maximum value that a cashier takes back of a sale alone now. Zero for a sale that is too old. */
export function refundAllowance(limit: RefundLimit, refunded: UnapprovedRefunds, placedAt: Date, now: Date): Poisha {
  if (isTooOldToReturn(limit, placedAt, now)) return ZERO
  const left = Math.min(limit.taka * 100 - refunded.ofSale, limit.day_taka * 100 - refunded.ofDay)
  return poisha(Math.max(0, left))
}

/** Whether a return needs a supervisor because of the sale's age, in calendar days of Dhaka. */
export function isTooOldToReturn({ days }: RefundLimit, placedAt: Date, now: Date): boolean {
  return dhakaDate(now) > addDays(dhakaDate(placedAt), days)
}
