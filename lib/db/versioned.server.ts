import { sql } from 'kysely'
import type { Db } from './db.server.ts'

/** Updated to the next version; `stale` after a concurrent update; `missing` without such a row. */
export type VersionedUpdate = { ok: true; version: number } | { ok: false; reason: 'stale' | 'missing' }

/**
 * Updates a row with a `version` column if it still has the version that the form was loaded with (optimistic locking). The second of
 * two concurrent updates is `stale` and changes nothing.
 */
export async function updateVersioned(
  tx: Db,
  table: string,
  id: number,
  seenVersion: number,
  changes: Record<string, unknown>,
): Promise<VersionedUpdate> {
  const updated = await tx
    .updateTable(table)
    .set({ ...changes, version: sql`version + 1` })
    .where('id', '=', id)
    .where('version', '=', seenVersion)
    .returning('version')
    .executeTakeFirst()
  if (updated) return { ok: true, version: updated.version as number }
  const there = await tx.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()
  return { ok: false, reason: there ? 'stale' : 'missing' }
}
