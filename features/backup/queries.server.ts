import type { Db } from '#lib/db/db.server.ts'

export interface LastBackup {
  id: number
  /** The time of the data in the file. */
  startedAt: Date
  finishedAt: Date
  fileName: string
  sizeBytes: number
  /** The folder, or s3://bucket/prefix. */
  target: string
  /** Whether the file was restored into a scratch database with equal sums. */
  isVerified: boolean
}

/** The newest backup that was written to its end and still exists; null when there is none. Its age counts from `startedAt`. */
export async function lastBackup(db: Db): Promise<LastBackup | null> {
  const run = await db
    .selectFrom('backup_runs')
    .select(['id', 'started_at', 'finished_at', 'file_name', 'size_bytes', 'target', 'verified_at'])
    .where('state', '=', 'done')
    .where('deleted_at', 'is', null)
    .orderBy('finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!run) return null
  return {
    id: run.id,
    startedAt: run.started_at,
    finishedAt: run.finished_at!,
    fileName: run.file_name!,
    sizeBytes: run.size_bytes!,
    target: run.target,
    isVerified: run.verified_at !== null,
  }
}
