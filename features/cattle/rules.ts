// Weighings: the settlement of a booked animal and weights that are not plausible.
//
// A booked animal keeps the rate of its booking. The final weighing corrects the price in whole taka; the difference is paid or refunded.
// A weight that an animal can hardly have reached since the last weighing needs a confirmation.
import { daysBetween } from '#lib/format/time.ts'
import { weightPrice } from '#features/catalog/products/live-weight-rules.ts'
import type { Poisha } from '#lib/format/money.ts'

/** The rate in poisha per kg that a booking freezes: the agreed price by the weight of that day. Null for an animal without a weight. */
export function bookedRatePerKg(price: Poisha, grams: number | null): number | null {
  return grams ? Math.round((price * 1000) / grams) : null
}

/** The difference of a booked animal's price by its new weight at the rate of its booking; negative for a refund. */
export function settlementDifference(oldGrams: number, newGrams: number, poishaPerKg: number): Poisha {
  return weightPrice(newGrams - oldGrams, poishaPerKg)
}

export interface Weighing {
  on: string
  grams: number
}

/** Whether a weight differs from that of another day by more than an animal changes in the days between. */
export function isUnexpected(weighing: Weighing, other: Weighing, kgPerDay: number): boolean {
  const days = Math.abs(daysBetween(other.on, weighing.on))
  return Math.abs(weighing.grams - other.grams) > kgPerDay * 1000 * Math.max(1, days)
}
