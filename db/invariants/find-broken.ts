import type { RawBuilder } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** The rows that break an invariant, by the invariant's name; empty when all hold. */
export async function findBroken(db: Db, invariants: Record<string, RawBuilder<object>>): Promise<Record<string, object[]>> {
  const broken: Record<string, object[]> = {}
  for (const [name, query] of Object.entries(invariants)) {
    const { rows } = await query.execute(db)
    if (rows.length > 0) broken[name] = rows
  }
  return broken
}
