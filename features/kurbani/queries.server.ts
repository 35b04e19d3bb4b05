import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import type { PriceRange } from './price-range-rules.ts'

/** Whether one of a category's animals can be ordered at once, and the lowest and highest price that is shown (taka; 0 when nothing is). */
export async function findStock(facts: ShopCache, categoryId: number): Promise<{ inStock: boolean; prices: PriceRange }> {
  const { inStock, lowest, highest } = (await facts.shelf()).ends(categoryId)
  return { inStock, prices: { from: lowest / 100, to: highest / 100 } }
}
