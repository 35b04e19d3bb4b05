// The price of an animal sold by live weight: its weight times the rate of its tier. The tier is the one with the largest lower bound
// that the weight reaches.
import { type Poisha, shareInTaka } from '#lib/format/money.ts'

export interface RateTier {
  fromGrams: number
  poishaPerKg: number
}

/** Weight times rate in whole taka, half up. The weight may be negative: the difference of two weights. */
export function weightPrice(grams: number, poishaPerKg: number): Poisha {
  const size = shareInTaka(Math.abs(grams), poishaPerKg, 1000)
  return (grams < 0 ? 0 - size : size) as Poisha
}

/** The price of an animal of this weight, or null when no tier is low enough. Tiers may be in any order. */
export function liveWeightPrice(grams: number, tiers: readonly RateTier[]): Poisha | null {
  const matching = tiers.filter((tier) => tier.fromGrams <= grams).toSorted((a, b) => b.fromGrams - a.fromGrams)[0]
  return matching ? weightPrice(grams, matching.poishaPerKg) : null
}

/**
 * The price of an animal that is weighed, or priced by new rates. `no-rate`: no tier is low enough. `below-discount`: it would be less than the
 * fixed discount of the animal (`fixedDiscount`).
 */
export function priceAtWeight(grams: number, tiers: readonly RateTier[], discount: number): Poisha | 'no-rate' | 'below-discount' {
  const price = liveWeightPrice(grams, tiers)
  if (price === null) return 'no-rate'
  return price < discount ? 'below-discount' : price
}
