import { takaToPoisha, type Poisha } from '#lib/format/money.ts'
import { parseSizes, minQuantity } from '../catalog/quantity-rules.ts'
import { quantityPrice } from '../catalog/shown-price-rules.ts'
import type { ProductJson } from '../catalog/types.ts'
import { lineAdvance } from './rules.ts'

type ProductTerms = Pick<
  ProductJson,
  'price' | 'discount' | 'discount_type' | 'size' | 'is_unique' | 'advance_minimum' | 'advance_percentage' | 'advance_round_figure'
>

/** The advance for the smallest quantity of a product, computed as in the cart. */
export function minAdvance(product: ProductTerms): Poisha {
  const milli = product.is_unique ? 1000 : minQuantity(parseSizes(product.size))
  return lineAdvance(
    quantityPrice(product, milli),
    advanceTerms(product.advance_minimum, product.advance_percentage, product.advance_round_figure),
  )
}

/** Advance terms as JSON has them: taka, percent of the line, taka. */
export function advanceTerms(
  minimum: number,
  percentage: number,
  roundFigure: number,
): { minimum: Poisha; percentBp: number; roundTo: Poisha } {
  return { minimum: takaToPoisha(minimum), percentBp: Math.round(percentage * 100), roundTo: takaToPoisha(roundFigure) }
}
