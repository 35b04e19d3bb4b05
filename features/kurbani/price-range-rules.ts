// Choosing Kurbani cows by price.
//
// Two handles on one line: from and up to. They never come nearer than 10,000 taka, and move by 10. A handle at the end of its line
// asks for nothing: all cheaper, all dearer cows are shown.
import { MAX_PRICE_TAKA } from '#features/catalog/limits.ts'
import { PRICE_SLIDER } from '#features/catalog/rules.ts'

/** Whole taka. */
export interface PriceRange {
  from: number
  to: number
}

export type Handle = keyof PriceRange

const { gap, step } = PRICE_SLIDER
/** The ends of the line stand on full ten thousands. */
const END = 10_000

interface Asked {
  minPrice: number
  maxPrice: number
}

/** The ends of the line: the cheapest and the dearest cow there are, and wide enough for what the address asks for. */
export function sliderEnds(prices: PriceRange, asked: Asked): PriceRange {
  const low = asked.minPrice > 0 ? Math.min(prices.from, asked.minPrice) : prices.from
  const high = Math.max(prices.to, asked.maxPrice < MAX_PRICE_TAKA ? asked.maxPrice : 0, asked.minPrice)
  const from = Math.floor(low / END) * END
  return { from, to: Math.max(Math.ceil(high / END) * END, from + 2 * gap) }
}

/** Where the handles stand for what the address asks for. */
export function rangeOf(asked: Asked, ends: PriceRange): PriceRange {
  return { from: Math.max(ends.from, asked.minPrice), to: Math.min(ends.to, asked.maxPrice) }
}

/** What is asked for with the handles there: at its end a handle asks for nothing. */
export function askedBy(range: PriceRange, ends: PriceRange): Asked {
  return { minPrice: range.from <= ends.from ? 0 : range.from, maxPrice: range.to >= ends.to ? MAX_PRICE_TAKA : range.to }
}

/** The handles after one of them was sent somewhere: it stops at its end, and 10,000 taka before the other. */
export function movedHandle(range: PriceRange, handle: Handle, wanted: number, ends: PriceRange): PriceRange {
  if (!Number.isFinite(wanted)) return range
  const stepped = Math.round(wanted / step) * step
  return handle === 'from'
    ? { ...range, from: Math.max(ends.from, Math.min(stepped, range.to - gap)) }
    : { ...range, to: Math.min(ends.to, Math.max(stepped, range.from + gap)) }
}
