import type { ProductSearch } from '#features/search/product-search.server.ts'
import type { PriceRange } from './price-range-rules.ts'

/** Whether an animal of the category can be ordered now, and the lowest and highest price in the list (taka; 0 when it is empty). */
export async function findStock(search: ProductSearch, categoryId: number): Promise<{ inStock: boolean; prices: PriceRange }> {
  const { inStock, lowest, highest } = (await search.index()).ends(categoryId)
  return { inStock, prices: { from: lowest / 100, to: highest / 100 } }
}
