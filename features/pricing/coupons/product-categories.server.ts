import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'

/** A product with its categories, as the coupon rules ask for it. */
export function categoriesOf(row: SoldProductRow): { id: number; categoryIds: number[] } {
  return { id: row.id, categoryIds: row.categories.map((category) => category.id) }
}
