import { sql } from 'kysely'
import type { Db } from './db.server.ts'

/** What came of saving over a version: saved as the next one, somebody else was quicker, or there is no such row. */
export type VersionedUpdate = { ok: true; version: number } | { ok: false; reason: 'stale' | 'missing' }

/**
 * Changes a row of a table that counts its edits in `version`, if it is still the version that the person saw. Two at once: the second
 * is `stale`, and has changed nothing.
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
