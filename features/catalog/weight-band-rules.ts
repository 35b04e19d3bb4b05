// Weight bands of the lists of cattle: ranges of live weight that filter by price, because the price of an animal follows its weight. Their
// prices follow the rates of the shop; with the specified rates they are the specified prices.
import { liveWeightPrice, type RateTier, weightPrice } from './products/live-weight-rules.ts'
import type { WeightBand } from './rules.ts'

export type BandedList = 'beef' | 'kurbani'

/** The ranges in kg. The last one has no upper bound. */
const WEIGHTS: Record<BandedList, readonly (readonly [fromKg: number, toKg: number])[]> = {
  beef: [
    [150, 200],
    [200, 225],
    [225, 250],
    [250, 275],
    [275, 300],
    [300, 325],
    [325, 350],
  ],
  kurbani: [
    [200, 250],
    [251, 300],
    [301, 350],
    [351, 400],
  ],
}

const tier = (fromKg: number, takaPerKg: number): RateTier => ({ fromGrams: fromKg * 1000, poishaPerKg: takaPerKg * 100 })

/** The specified rates [W1], for a shop that has none. */
const SPECIFIED_RATES: Record<BandedList, readonly RateTier[]> = {
  beef: [tier(0, 520)],
  kurbani: [tier(200, 550), tier(251, 540), tier(301, 530), tier(351, 525)],
}

/** The weight bands of a list with their prices by the rates, from the lightest to the heaviest. */
export function weightBands(list: BandedList, rates: readonly RateTier[]): WeightBand[] {
  const tiers = rates.length > 0 ? rates : SPECIFIED_RATES[list]
  return WEIGHTS[list].map(([fromKg, toKg], index) => {
    const isLast = index === WEIGHTS[list].length - 1
    const prices = pricesBetween(fromKg * 1000, isLast ? Infinity : toKg * 1000, tiers)
    return { fromKg, toKg, minPrice: Math.min(...prices) / 100, maxPrice: isLast ? null : Math.max(...prices) / 100 }
  })
}

/** Prices in poisha, among which are the lowest and the highest one of the weights. Where a tier begins, heavier animals may be cheaper. */
function pricesBetween(fromGrams: number, toGrams: number, tiers: readonly RateTier[]): number[] {
  const starts = tiers.map((one) => one.fromGrams).filter((grams) => grams > fromGrams && grams <= toGrams)
  const weights = [fromGrams, ...starts.flatMap((grams) => [grams - 1, grams]), toGrams]
  return weights.filter(Number.isFinite).map((grams) => liveWeightPrice(grams, tiers) ?? weightPrice(grams, lowestTier(tiers).poishaPerKg))
}

/** Animals below the lowest tier have no rate; their band is the one of that tier. */
const lowestTier = (tiers: readonly RateTier[]) => tiers.reduce((low, one) => (one.fromGrams < low.fromGrams ? one : low))
