// Decides which products of an earlier order can be ordered again.
//
// Available products go into the cart with the earlier quantity, or with the stock that is left. Unavailable ones are listed by name.
import { toMilli } from '#lib/format/numbers.ts'
import { parseSizes, previousQuantity, minQuantity } from '#features/catalog/quantity-rules.ts'
import { isOrderable } from '#features/catalog/rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'

/** A product as it is offered now. `stock`: the units left; null when the stock is not tracked. */
export interface Offer {
  product: ProductJson
  stock: number | null
}

export interface AgainJson {
  /** Lines for the cart. `quantity` in units; `less`: below the earlier quantity. */
  lines: { product: ProductJson; quantity: number; less: boolean }[]
  /** Names of unavailable products. */
  missing: string[]
}

/** The lines that can be ordered again from the current offers. */
export function orderAgain(lines: readonly { product_id: number; name: string; quantity: number }[], offers: readonly Offer[]): AgainJson {
  const again: AgainJson = { lines: [], missing: [] }
  for (const line of lines) {
    const offer = offers.find(({ product }) => product.id === line.product_id)
    const quantity = offer ? quantityLeft(line.quantity, offer) : null
    if (!offer || quantity === null) again.missing.push(line.name)
    else again.lines.push({ product: offer.product, quantity, less: quantity < line.quantity })
  }
  return again
}

function quantityLeft(ordered: number, { product, stock }: Offer): number | null {
  if (!isOrderable(product.status)) return null
  if (product.is_unique) return stock === 0 ? null : 1
  const sizes = parseSizes(product.size)
  const maxMilli = toMilli(Math.min(ordered, stock ?? ordered))
  if (maxMilli < minQuantity(sizes)) return null
  // The largest sum of the current pack sizes up to the maximum.
  return previousQuantity(sizes, maxMilli + 1) / 1000
}
