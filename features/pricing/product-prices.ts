import { type Poisha, takaToPoisha } from '#lib/money.ts'
import { discountOf } from './facts-rules.ts'
import { unitPriceAfterDiscount } from '../catalog/shown-price-rules.ts'
import type { ProductJson } from '../catalog/types.ts'

/** What a unit costs now, and before when that was more. */
export function pricesOf(product: Pick<ProductJson, 'price' | 'discount' | 'discount_type'>): { now: Poisha; before: Poisha | null } {
  const before = takaToPoisha(product.price)
  const now = unitPriceAfterDiscount(before, discountOf(product.discount, product.discount_type))
  return { now, before: now < before ? before : null }
}
