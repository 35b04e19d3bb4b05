// The price slider of the Kurbani list.
//
// It has two handles, for the minimum and the maximum. They are at least 10,000 taka apart and move in steps of 10. A handle at the end of
// the line sets no bound.
import { MAX_PRICE_TAKA } from '#features/catalog/limits.ts'
import { PRICE_SLIDER } from '#features/catalog/rules.ts'

/** Whole taka. */
export interface PriceRange {
  from: number
  to: number
}

export type Handle = keyof PriceRange

const { gap, step } = PRICE_SLIDER
/** The ends of the line are multiples of this amount. */
const END = 10_000

interface PriceQuery {
  minPrice: number
  maxPrice: number
}

/** The ends of the line: from the lowest to the highest price, and wide enough for the query. */
export function sliderEnds(prices: PriceRange, query: PriceQuery): PriceRange {
  const low = query.minPrice > 0 ? Math.min(prices.from, query.minPrice) : prices.from
  const high = Math.max(prices.to, query.maxPrice < MAX_PRICE_TAKA ? query.maxPrice : 0, query.minPrice)
  const from = Math.floor(low / END) * END
  return { from, to: Math.max(Math.ceil(high / END) * END, from + 2 * gap) }
}

/** The positions of the handles for a query. */
export function rangeOf(query: PriceQuery, ends: PriceRange): PriceRange {
  return { from: Math.max(ends.from, query.minPrice), to: Math.min(ends.to, query.maxPrice) }
}

/** The query for positions of the handles. A handle at its end sets no bound. */
export function askedBy(range: PriceRange, ends: PriceRange): PriceQuery {
  return { minPrice: range.from <= ends.from ? 0 : range.from, maxPrice: range.to >= ends.to ? MAX_PRICE_TAKA : range.to }
}

/** The positions after a handle was moved. It stops at its end, and 10,000 taka before the other handle. */
export function movedHandle(range: PriceRange, handle: Handle, target: number, ends: PriceRange): PriceRange {
  if (!Number.isFinite(target)) return range
  const stepped = Math.round(target / step) * step
  return handle === 'from'
    ? { ...range, from: Math.max(ends.from, Math.min(stepped, range.to - gap)) }
    : { ...range, to: Math.min(ends.to, Math.max(stepped, range.from + gap)) }
}
