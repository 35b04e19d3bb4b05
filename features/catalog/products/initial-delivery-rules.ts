import type { CategoryKey } from '#features/catalog/category-keys.ts'
import type { ProductKind } from './product-rules.ts'

interface InCategories {
  kind: ProductKind
  category_id: number | string | undefined
  further_category_ids: readonly (number | string)[]
}

/**
 * The delivery date, YYYY-MM-DD, with which a new product begins: for an animal of Kurbani the first day of the season, until it has begun
 * (`seasonStart`). Empty: shoppers can choose the first possible day.
 */
export function initialDeliveryDate(
  { kind, category_id, further_category_ids }: InCategories,
  categories: readonly { id: number; key: CategoryKey | null }[],
  seasonStart: string | null,
): string {
  if (kind !== 'animal' || seasonStart === null) return ''
  const isKurbani = [category_id, ...further_category_ids].some((id) =>
    categories.some((one) => one.key === 'kurbani' && one.id === Number(id)),
  )
  return isKurbani ? seasonStart : ''
}
