import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** The number of people who wait for a product. */
export async function countWaits(db: Db, productId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from product_waits where product_id = ${productId}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
