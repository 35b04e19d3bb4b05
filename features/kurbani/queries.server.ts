import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import type { PriceRange } from './price-range-rules.ts'

/** Whether one of a category's animals can be ordered at once, and the lowest and highest price of what is shown (taka; 0 when nothing is). */
export async function findStock(db: Db, categoryId: number): Promise<{ inStock: boolean; prices: PriceRange }> {
  // Each is the end of an index.
  const end = (order: 'asc' | 'desc') => sql`coalesce((select price_poisha from products where visible and category_id = ${categoryId}
    order by price_poisha ${sql.raw(order)} limit 1), 0) / 100.0`
  const { rows } = await sql<{ in_stock: boolean; lowest: number; highest: number }>`
    select exists (select 1 from products where visible and category_id = ${categoryId} and shelf_rank = 0) as in_stock,
      (${end('asc')})::float8 as lowest, (${end('desc')})::float8 as highest`.execute(db)
  const { in_stock = false, lowest = 0, highest = 0 } = rows[0] ?? {}
  return { inStock: in_stock, prices: { from: lowest, to: highest } }
}
