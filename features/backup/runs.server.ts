import type { Db } from '#lib/db/db.server.ts'
import type { WrittenArchive } from './write-archive.server.ts'

export interface NewRun {
  startedAt: Date
  startedBy: 'schedule' | 'admin' | 'command'
  actorId: number | null
  target: string
  fileName: string
}

const MAX_ERROR_LENGTH = 500

/** An advisory lock of the database, held by the session of a backup: one backup at a time, of all processes. */
export const BACKUP_LOCK = 715_001_017
/** The error of a run whose process was killed. */
export const INTERRUPTED = 'The process ended before the backup was complete.'

/** Records the start of a backup; returns its id. */
export async function createRun(db: Db, run: NewRun): Promise<number> {
  const { id } = await db
    .insertInto('backup_runs')
    .values({
      started_at: run.startedAt,
      started_by: run.startedBy,
      actor_id: run.actorId,
      target: run.target,
      file_name: run.fileName,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Records a written backup with its size, checksum and totals. `isVerified`: it was restored for a check. */
export async function completeRun(
  db: Db,
  id: number,
  { bytes, sha256, totals }: WrittenArchive,
  { now, isVerified }: { now: Date; isVerified: boolean },
): Promise<void> {
  await db
    .updateTable('backup_runs')
    .set({
      state: 'done',
      finished_at: now,
      size_bytes: bytes,
      checksum: sha256,
      sums: JSON.stringify(totals),
      verified_at: isVerified ? now : null,
    })
    .where('id', '=', id)
    .execute()
}

/** Records the failure of a run, unless it has ended. */
export async function failRun(db: Db, id: number, error: string, now: Date): Promise<void> {
  await db
    .updateTable('backup_runs')
    .set({ state: 'failed', finished_at: now, error: error.slice(0, MAX_ERROR_LENGTH) || 'unknown' })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** Ends the rows of killed processes; returns their files and targets. The caller holds the lock of backups. */
export async function failInterruptedRuns(db: Db, now: Date): Promise<Pick<NewRun, 'fileName' | 'target'>[]> {
  const rows = await db
    .updateTable('backup_runs')
    .set({ state: 'failed', finished_at: now, error: INTERRUPTED })
    .where('state', '=', 'running')
    .returning(['file_name', 'target'])
    .execute()
  return rows.flatMap(({ file_name, target }) => (file_name === null ? [] : { fileName: file_name, target }))
}
