import { access, readdir } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { BACKUP_LOCK, INTERRUPTED } from './runs.server.ts'
import { isBackupLate, type PastRuns } from './schedule-rules.ts'

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

/**
 * The newest backup that was written to its end and still exists; null when there is none. Its age counts from `startedAt`. One that a wrong
 * clock dated after `now` is left out: it would be the newest until that day.
 */
export async function lastBackup(db: Db, now: Date): Promise<LastBackup | null> {
  const run = await db
    .selectFrom('backup_runs')
    .select(['id', 'started_at', 'finished_at', 'file_name', 'size_bytes', 'target', 'verified_at'])
    .where('state', '=', 'done')
    .where('deleted_at', 'is', null)
    .where('started_at', '<=', now)
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

/**
 * Whether the newest complete backup that the shop itself made was not restored for a check. Commands check only on request; where there are
 * only theirs, one that was checked is enough.
 */
export async function isCheckMissing(db: Db): Promise<boolean> {
  const { rows } = await sql<{ missing: boolean }>`select coalesce(
    (select verified_at is null from backup_runs where state = 'done' and started_by in ('schedule', 'admin') order by id desc limit 1),
    (select bool_and(verified_at is null) from backup_runs where state = 'done'), false) as missing`.execute(db)
  return rows[0]!.missing
}

/**
 * Whether the file of the newest backup that the shop itself made is missing in its folder: deleted, on a disk that is not mounted, or of the
 * machine from which this shop was restored. Buckets are not asked.
 */
export async function isBackupFileMissing(db: Db): Promise<boolean> {
  const newest = await db
    .selectFrom('backup_runs')
    .select(['target', 'file_name'])
    .where('state', '=', 'done')
    .where('deleted_at', 'is', null)
    .where('started_by', 'in', ['schedule', 'admin'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!newest || !path.isAbsolute(newest.target)) return false
  return access(path.join(newest.target, newest.file_name!)).then(
    () => false,
    () => true,
  )
}

/** The names of the files in the folder of backups; null for a bucket, which is not asked. */
export async function listBackupFiles(target: string): Promise<Set<string> | null> {
  return path.isAbsolute(target) ? new Set(await readdir(target).catch(() => [])) : null
}

export interface BackupRun {
  id: number
  started_at: Date
  finished_at: Date | null
  state: 'running' | 'done' | 'failed'
  started_by: 'schedule' | 'admin' | 'command'
  actor: string | null
  target: string
  file_name: string | null
  size_bytes: number | null
  checksum: string | null
  verified_at: Date | null
  deleted_at: Date | null
  error: string | null
}

const LISTED_RUNS = 100

/** The newest runs, the newest first. One whose process was killed has failed, although the next backup ends its row: only a run with the lock goes on. */
export async function listBackupRuns(db: Db): Promise<BackupRun[]> {
  const { rows } = await sql<BackupRun>`
    select r.id, r.started_at, r.finished_at, r.started_by, u.name as actor, r.target, r.file_name, r.size_bytes, r.checksum, r.verified_at,
      r.deleted_at, case when k.is_killed then 'failed' else r.state end as state, case when k.is_killed then ${INTERRUPTED} else r.error end as error
    from backup_runs r left join users u on u.id = r.actor_id
      cross join lateral (select r.state = 'running' and not exists (select 1 from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and l.classid = 0 and l.objid = ${BACKUP_LOCK}::bigint
          and l.objsubid = 1 and l.granted) as is_killed) k
    order by r.id desc limit ${LISTED_RUNS}`.execute(db)
  return rows
}

/** The file of a complete backup that still exists; null for another id. */
export async function findBackupFile(db: Db, id: number): Promise<{ target: string; fileName: string } | null> {
  const row = await db
    .selectFrom('backup_runs')
    .select(['target', 'file_name'])
    .where('id', '=', id)
    .where('state', '=', 'done')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ? { target: row.target, fileName: row.file_name! } : null
}

/** The times of scheduled backups that `isBackupDue` compares, without those that a wrong clock dated after `now`. */
export async function readPastRuns(db: Db, now: Date): Promise<PastRuns> {
  const { rows } = await sql<
    SnakeCased<PastRuns>
  >`select max(started_at) filter (where state = 'done') as last_done, max(started_at) as last_tried
    from backup_runs where started_by = 'schedule' and started_at <= ${now}`.execute(db)
  return toCamel<PastRuns>(rows[0]!)
}

/** Whether the alarm is due. A shop without backup counts from its first migration. */
export async function isLate(db: Db, now: Date): Promise<boolean> {
  const last = await lastBackup(db, now)
  if (last) return isBackupLate(now, last.startedAt)
  const { rows } = await sql<{ since: Date }>`select min(applied_at) as since from schema_migrations`.execute(db)
  return isBackupLate(now, rows[0]!.since)
}
