// What a list shows, and what it can be asked for.
//
// Goods in stock can be put into the cart, and so can those that are taken in advance. Held ones wait; a cow that is sold can still
// be looked at. Weight is browsed by price, for a cow's price follows its weight.
import { MAX_PRICE_TAKA } from './limits.ts'
import { bengaliDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { ProductStatus } from './types.ts'

/** Every status, by availability. */
export const PRODUCT_STATUSES = ['in-stock', 'pre-book', 'hold', 'out-of-stock', 'sold'] as const satisfies readonly ProductStatus[]

/** Lists show what can be bought first. The trigger set_product_derived_columns stores the same rank in products.availability_rank. */
export function availabilityRank(status: ProductStatus): number {
  return PRODUCT_STATUSES.indexOf(status)
}

export type ListingKind = 'general' | 'kurbani'

/** What a card offers, and the ribbon it wears. `none`: nothing to press. */
export interface CardAction {
  action: 'add-to-cart' | 'wait' | 'out-of-stock' | 'details' | 'none'
  ribbon: 'pre-order' | 'sold-out' | 'on-hold' | null
}

/** The action of a card by the product's status; the Kurbani listing also marks held and sold animals. */
export function cardAction(status: string, listing: ListingKind = 'general'): CardAction {
  const kurbani = listing === 'kurbani'
  switch (status) {
    case 'in-stock':
      return { action: 'add-to-cart', ribbon: null }
    case 'pre-book':
      return { action: 'add-to-cart', ribbon: 'pre-order' }
    case 'hold':
      return { action: 'wait', ribbon: kurbani ? 'on-hold' : null }
    case 'out-of-stock':
      return { action: 'out-of-stock', ribbon: 'sold-out' }
    case 'sold':
      return kurbani ? { action: 'details', ribbon: 'sold-out' } : { action: 'none', ribbon: null }
    default:
      return { action: 'none', ribbon: null }
  }
}

/** A weight range that is browsed as a price range, in taka; null is "no upper bound". */
export interface WeightBand {
  fromKg: number
  toKg: number
  minPrice: number
  maxPrice: number | null
}

function band(fromKg: number, toKg: number, minPrice: number, maxPrice: number | null): WeightBand {
  return { fromKg, toKg, minPrice, maxPrice }
}

export const BEEF_BANDS: readonly WeightBand[] = [
  band(150, 200, 78_000, 104_000),
  band(200, 225, 104_000, 117_000),
  band(225, 250, 117_000, 130_000),
  band(250, 275, 130_000, 143_000),
  band(275, 300, 143_000, 156_000),
  band(300, 325, 156_000, 169_000),
  band(325, 350, 169_000, null),
]

export const KURBANI_BANDS: readonly WeightBand[] = [
  band(200, 250, 110_000, 137_500),
  band(251, 300, 135_540, 162_000),
  band(301, 350, 159_530, 185_500),
  band(351, 400, 184_275, null),
]

/** `150-200kg`, `325-350+kg`; `১৫০-২০০ কেজি` in Bengali. */
export function bandLabel(weights: WeightBand, lang: Lang): string {
  const range = `${weights.fromKg}-${weights.toKg}${weights.maxPrice === null ? '+' : ''}`
  return lang === 'bn' ? `${bengaliDigits(range)} কেজি` : `${range}kg`
}

/** The band whose prices a list is being shown for, if any. */
export function activeBand(bands: readonly WeightBand[], shown: { minPrice: number; maxPrice: number }): WeightBand | null {
  return bands.find((one) => one.minPrice === shown.minPrice && (one.maxPrice ?? MAX_PRICE_TAKA) === shown.maxPrice) ?? null
}

/** The two handles of the price slider stay this far apart, and move by this step (taka). */
export const PRICE_SLIDER = { gap: 10_000, step: 10 } as const

/** Page numbers to offer: up to five each side of the current one. */
export function paginationWindow(current: number, last: number, each = 5): number[] {
  const from = Math.max(1, current - each)
  const to = Math.min(last, current + each)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}
