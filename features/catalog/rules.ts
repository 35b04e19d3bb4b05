// Product lists: statuses, the action of a card, weight bands and page numbers.
//
// Products in stock and for pre-order can be added to the cart. Held products cannot; a sold cow can still be viewed.
import { MAX_PRICE_TAKA } from './limits.ts'
import { bengaliDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { ProductStatus } from './types.ts'

/** Every status, by availability. */
export const PRODUCT_STATUSES = ['in-stock', 'pre-book', 'hold', 'out-of-stock', 'sold'] as const satisfies readonly ProductStatus[]

export const ORDERABLE_STATUSES: readonly ProductStatus[] = ['in-stock', 'pre-book']

/** Whether a product of this status can be ordered. */
export function isOrderable(status: ProductStatus): boolean {
  return ORDERABLE_STATUSES.includes(status)
}

/** The sort rank of a status: products that can be bought come first. The trigger set_product_derived_columns stores the same rank. */
export function availabilityRank(status: ProductStatus): number {
  return PRODUCT_STATUSES.indexOf(status)
}

export type ListingKind = 'general' | 'kurbani'

/** The action and the ribbon of a card. `none`: no action. */
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

/** A weight range that filters by a price range in taka (`weightBands`); null: no upper bound. */
export interface WeightBand {
  fromKg: number
  toKg: number
  minPrice: number
  maxPrice: number | null
}

/** `150-200kg`, `325-350+kg`; `১৫০-২০০ কেজি` in Bengali. */
export function bandLabel(weights: WeightBand, lang: Lang): string {
  const range = `${weights.fromKg}-${weights.toKg}${weights.maxPrice === null ? '+' : ''}`
  return lang === 'bn' ? `${bengaliDigits(range)} কেজি` : `${range}kg`
}

/** The band with the price range of the list, or null. */
export function activeBand(bands: readonly WeightBand[], shown: { minPrice: number; maxPrice: number }): WeightBand | null {
  return bands.find((one) => one.minPrice === shown.minPrice && (one.maxPrice ?? MAX_PRICE_TAKA) === shown.maxPrice) ?? null
}

/** The minimum distance of the two handles of the price slider, and their step (taka). */
export const PRICE_SLIDER = { gap: 10_000, step: 10 } as const

/** The page numbers to link to: up to five on each side of the current one. */
export function paginationWindow(current: number, last: number): number[] {
  const from = Math.max(1, current - 5)
  const to = Math.min(last, current + 5)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}
