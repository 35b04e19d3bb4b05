import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'

/** The id and the category ids of a product, as the coupon rules take them. */
export function categoriesOf(row: SoldProductRow): { id: number; categoryIds: number[] } {
  return { id: row.id, categoryIds: row.categories.map((category) => category.id) }
}
