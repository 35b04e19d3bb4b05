import { type Kysely, sql, type Updateable } from 'kysely'
import type { Database } from '#db/types.ts'
import type { Db } from './db.server.ts'

/** The result of an update with an expected version: the new version, or the reason why no row was changed. */
export type VersionedUpdate = { ok: true; version: number } | { ok: false; reason: 'stale' | 'missing' }

/** Tables that count their edits in a column `version`. */
type VersionedTable = {
  [Table in keyof Database]: Database[Table] extends { id: unknown; version: unknown } ? Table : never
}[keyof Database]

/**
 * Updates a row if it still has the expected version (optimistic locking), and increments the version. Of two concurrent updates with
 * the same version the second is `stale` and changes nothing.
 */
export async function updateVersioned<Table extends VersionedTable>(
  tx: Db,
  table: Table,
  id: number,
  expectedVersion: number,
  changes: Updateable<Database[Table]>,
): Promise<VersionedUpdate> {
  // Kysely cannot resolve columns of a table that is a type parameter. The parameters above are checked against the table.
  const rows = tx as unknown as Kysely<{ rows: { id: number; version: number } }>
  const name = table as unknown as 'rows'
  const updated = await rows
    .updateTable(name)
    .set({ ...changes, version: sql`version + 1` })
    .where('id', '=', id)
    .where('version', '=', expectedVersion)
    .returning('version')
    .executeTakeFirst()
  if (updated) return { ok: true, version: updated.version }
  const found = await rows.selectFrom(name).select('id').where('id', '=', id).executeTakeFirst()
  return { ok: false, reason: found ? 'stale' : 'missing' }
}
