// Weights and what follows from them.
//
// An animal sold by live weight costs its weight times the rate of its tier: the tier with the largest bound not above the weight. A
// booked animal keeps the rate of its booking; the last weighing before delivery makes the price right, in whole taka, and the difference
// is paid or given back. A weight that an animal can hardly have reached since the last weighing is asked about before it is kept.
import { type Poisha, share } from '#lib/format/money.ts'

export interface RateTier {
  fromGrams: number
  poishaPerKg: number
}

const WHOLE_TAKA = 100

/** Weight times rate in whole taka, half up; the weight may be negative, as a difference of two. */
export function weightPrice(grams: number, poishaPerKg: number): Poisha {
  const size = share(Math.abs(grams), poishaPerKg, 1000 * WHOLE_TAKA) * WHOLE_TAKA
  return (grams < 0 ? 0 - size : size) as Poisha
}

/** The price of an animal of this weight, or null when no tier is low enough. Tiers in any order. */
export function liveWeightPrice(grams: number, tiers: readonly RateTier[]): Poisha | null {
  const fitting = tiers.filter((tier) => tier.fromGrams <= grams).toSorted((a, b) => b.fromGrams - a.fromGrams)[0]
  return fitting ? weightPrice(grams, fitting.poishaPerKg) : null
}

/** The rate in poisha per kg that a booking freezes: the agreed price by the weight of that day. Null for an animal without a weight. */
export function bookedRatePerKg(price: Poisha, grams: number | null): number | null {
  return grams ? Math.round((price * 1000) / grams) : null
}

/** What a booked animal costs more (or, below zero, less) by its new weight at the rate of its booking. */
export function settlementDifference(oldGrams: number, newGrams: number, poishaPerKg: number): Poisha {
  return weightPrice(newGrams - oldGrams, poishaPerKg)
}

export interface Weighing {
  on: string
  grams: number
}

const DAY_MS = 86_400_000

/** Whether a weight is further from the last one than an animal changes in those days [W5]; the first is always expected. */
export function isUnexpected(next: Weighing, last: Weighing | null, kgPerDay: number): boolean {
  if (!last) return false
  const days = Math.abs(Date.parse(next.on) - Date.parse(last.on)) / DAY_MS
  return Math.abs(next.grams - last.grams) > kgPerDay * 1000 * Math.max(1, days)
}
