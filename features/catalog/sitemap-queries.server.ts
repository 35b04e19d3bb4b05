import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { toCamel } from '#lib/db/rows.ts'

/** The highest id of a visible product, 0 without one. */
export async function maxVisibleProductId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0)::int as id from products where visible`.execute(db)
  return rows[0]?.id ?? 0
}

/** Visible products with `after < id <= until`, by id. */
export async function listProductChanges(db: Db, after: number, until: number): Promise<{ id: number; updatedAt: Date }[]> {
  const rows = await db
    .selectFrom('products')
    .select(['id', 'updated_at'])
    .where('visible', '=', true)
    .where('id', '>', after)
    .where('id', '<=', until)
    .orderBy('id')
    .execute()
  return rows.map(toCamel<{ id: number; updatedAt: Date }>)
}
