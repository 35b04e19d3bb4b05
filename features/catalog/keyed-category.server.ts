import { type RawBuilder, sql } from 'kysely'
import type { CategoryKey } from './category-keys.ts'

/** SQL condition: products `p` in a keyed category, as their own or among "More categories". As `isInCategory`. */
export function isInKeyedCategory(key: CategoryKey): RawBuilder<boolean> {
  return sql`exists (select 1 from categories k where k.key = ${sql.lit(key)} and (k.id = p.category_id
    or exists (select 1 from product_categories f where f.product_id = p.id and f.category_id = k.id)))`
}
