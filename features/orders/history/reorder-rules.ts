// Ordering the same again.
//
// Whatever can still be ordered goes into the cart, as much of it as before, or as much as is left. An animal that has gone is named,
// and so is everything else that cannot be had.
import { parseSizes, previousQuantity, minQuantity } from '#features/catalog/quantity-rules.ts'
import type { ProductJson } from '#features/catalog/types.ts'

/** A product as it can be had now; `stock` is how many units are left, null when it is not counted. */
export interface Offer {
  product: ProductJson
  stock: number | null
}

export interface AgainJson {
  /** For the cart; `quantity` in units, `less` when it is less than before. */
  lines: { product: ProductJson; quantity: number; less: boolean }[]
  /** Names of what cannot be had. */
  missing: string[]
}

/** What of an order's lines can be ordered again, from what the shop offers now. */
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

function quantityLeft(wanted: number, { product, stock }: Offer): number | null {
  if (product.status !== 'in-stock' && product.status !== 'pre-book') return null
  if (product.is_unique) return stock === 0 ? null : 1
  const sizes = parseSizes(product.size)
  const most = Math.round(Math.min(wanted, stock ?? wanted) * 1000)
  if (most < minQuantity(sizes)) return null
  // The largest sum of today's sizes that is not more.
  return previousQuantity(sizes, most + 1) / 1000
}
