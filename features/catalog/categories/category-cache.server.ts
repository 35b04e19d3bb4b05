import type { CategoryKey } from '#features/catalog/category-keys.ts'
import type { DeliveryGroup } from '#features/catalog/types.ts'
import { type Revision, RevisionCache } from '#lib/async/revision-cache.ts'
import type { Db } from '#lib/db/db.server.ts'

export interface CachedCategory {
  id: number
  key: CategoryKey | null
  slug: string
  name_en: string
  name_bn: string
  delivery_group: DeliveryGroup
  final_weighing_days: number | null
  /** Whether a product of it is shown in the shop. */
  has_products: boolean
  /** Whether a product of it can be ordered now. */
  sells: boolean
}

/** The owner's own categories that have products, beside the sections of the shop: menus and sitemap list them. */
export function ownCategories(categories: readonly CachedCategory[]): CachedCategory[] {
  return categories.filter(({ key, has_products: hasProducts }) => key === null && hasProducts)
}

/** The categories with products to order now, in their order; the home listing shows what the others have. */
export function sellingCategories(categories: readonly CachedCategory[]): CachedCategory[] {
  return categories.filter(({ key, sells }) => key !== 'home' && sells)
}

/** All categories in their order, read once per revision of the catalog. */
export class CategoryCache extends RevisionCache<CachedCategory[]> {
  constructor(db: Db, revision: Revision) {
    super(revision, () =>
      db
        .selectFrom('categories')
        .select(['id', 'key', 'slug', 'name_en', 'name_bn', 'delivery_group', 'final_weighing_days'])
        .select((expressions) => {
          const { exists, or, selectFrom } = expressions
          const visible = selectFrom('products as p').select('p.id').where('p.visible', '=', true)
          const isIn = (products: typeof visible) => {
            const ofCategory = products.whereRef('p.category_id', '=', 'categories.id')
            const ofFurther = products
              .innerJoin('product_categories as k', 'k.product_id', 'p.id')
              .whereRef('k.category_id', '=', 'categories.id')
            return or([exists(ofCategory), exists(ofFurther)]).$castTo<boolean>()
          }
          return [isIn(visible).as('has_products'), isIn(visible.where('p.status', 'in', ['in-stock', 'pre-book'])).as('sells')]
        })
        .orderBy('priority')
        .orderBy('id')
        .execute(),
    )
  }
}
