import { rm } from 'node:fs/promises'
import { constants, getPriority, setPriority } from 'node:os'
import path from 'node:path'
import type { OpenDatabase } from '#lib/db/db.server.ts'
import { runEach } from '#lib/db/run-each.server.ts'
import { describeError } from '#lib/runtime/log.server.ts'
import { HOUR_MS } from '#lib/format/time.ts'
import { isDiskFull } from '#lib/files/disk-full.server.ts'
import { makeFolder } from '#lib/files/folders.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { FILE_ENDING } from './archive/format.ts'
import { assertMounted, markFolder } from './folder-marker.server.ts'
import { type CountedMedia, countMedia } from './media-files.server.ts'
import { expiredBackups, type Retention } from './retention-rules.ts'
import { BACKUP_LOCK, completeRun, createRun, failInterruptedRuns, failRun, type NewRun } from './runs.server.ts'
import { type BackupTarget, draftFolderOf } from './target.server.ts'
import { writeArchive, type WrittenArchive } from './write-archive.server.ts'

export interface BackupOptions extends Pick<NewRun, 'startedBy' | 'actorId'> {
  database: Pick<OpenDatabase, 'db' | 'pool'>
  uploads: Uploads
  dataDir: string
  target: BackupTarget
  /** Null keeps all backups, in a folder that is not the one of BACKUP_TO. */
  retention: Retention | null
  now: () => Date
  /** Checks the written file; throws when it cannot be restored. Returns whether it was restored for it. */
  verify(file: string, media: CountedMedia): Promise<boolean>
  /** An expired backup could not be deleted; the new one is complete. */
  warn(error: unknown): void
}

export type BackupResult = { ok: true; fileName: string; isVerified: boolean; archive: WrittenArchive } | { ok: false; reason: 'running' }

/** A process of low priority may wait long on a busy machine before it connects. */
export const BACKUP_CONNECTIONS = { max: 2, applicationName: 'khamar-backup', connectTimeout: 60_000, statementTimeout: 0 }

const TOO_OLD =
  'The database is of release 0.1.0, which has no backups. Copy it with pg_dump, or start this version once, which migrates it; then back up.'

/**
 * Requests of the shop do not wait for compression. Not the lowest priority: beside a busy shop the backup would get a hundredth of the
 * processor, and not end. A priority that the operator has chosen (`nice`, `Nice=` of a unit) stays.
 */
export function lowerPriority(): void {
  if (getPriority() === constants.priority.PRIORITY_NORMAL) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
}

/**
 * Writes, verifies and stores one backup, records it in `backup_runs`, and deletes expired ones. A failure is recorded and thrown; it
 * leaves no file and deletes no older backup. Throws a SettingsError for a database from before backups were recorded.
 */
export async function runBackup(options: BackupOptions): Promise<BackupResult> {
  const client = await options.database.pool.connect()
  try {
    const { rows: tables } = await client.query<{ exists: boolean }>(`select to_regclass('backup_runs') is not null as exists`)
    if (!tables[0]!.exists) throw new SettingsError(TOO_OLD)
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [BACKUP_LOCK])
    if (!rows[0]!.locked) return { ok: false, reason: 'running' }
    return await backUp(options, client)
  } finally {
    // The next backup may follow at once. A session that is lost, or in a failed transaction, gives the lock back when it ends.
    await client.query('select pg_advisory_unlock_all()').catch(() => {})
    client.release(true)
  }
}

async function backUp(options: BackupOptions, client: Parameters<typeof writeArchive>[0]): Promise<BackupResult> {
  const { database, target, now, uploads, dataDir } = options
  const { db } = database
  // Not awaited: a folder of --to may be on a disk that is not there now, or does not answer.
  for (const killed of await failInterruptedRuns(db, now())) void rm(draftOf(killed, dataDir), { force: true }).catch(() => {})
  const startedAt = now()
  const fileName = nameAt(startedAt)
  const { startedBy, actorId } = options
  const id = await createRun(db, { startedAt, startedBy, actorId, target: target.name, fileName })
  const draft = draftOf({ fileName, target: target.name }, dataDir)
  try {
    await prepareFolder(options)
    const archive = await writeArchive(client, { file: draft, uploads, now: startedAt })
    // Uploads may be elsewhere than the settings say. Those of the last hour may have been written after the backup had read the names.
    const media = await countMedia(db, archive.uploads, new Date(startedAt.getTime() - HOUR_MS))
    const isVerified = await options.verify(draft, media)
    await target.store(draft, fileName)
    await completeRun(db, id, archive, { now: now(), isVerified })
    if (options.retention) await deleteExpired(options, options.retention).catch(options.warn)
    return { ok: true, fileName, isVerified, archive }
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    // The database may be the cause.
    await failRun(db, id, reasonOf(error), now()).catch(() => {})
    throw error
  }
}

/** Makes the folder of the drafts. Only the folder of BACKUP_TO, where the retention applies, is expected to be there again. */
async function prepareFolder({ target, dataDir, retention }: BackupOptions): Promise<void> {
  const isMarked = retention !== null && path.isAbsolute(target.name)
  if (isMarked) await assertMounted(target.name, dataDir)
  makeFolder(target.draftFolder)
  if (isMarked) await markFolder(target.name, dataDir)
}

function draftOf({ fileName, target }: Pick<NewRun, 'fileName' | 'target'>, dataDir: string): string {
  return path.join(draftFolderOf(target, dataDir), `${path.basename(fileName)}.part`)
}

/** `khamar-2026-11-23-210504123.khamar-backup`, in UTC: sorts by time, and is a file name everywhere. */
function nameAt(at: Date): string {
  const [day = '', time = ''] = at.toISOString().split('T')
  return `khamar-${day}-${time.replaceAll(/[^\d]/g, '')}${FILE_ENDING}`
}

function reasonOf(error: unknown): string {
  return isDiskFull(error) ? 'The disk is full.' : describeError(error as Error).message
}

/**
 * Deletes backups by the retention. Only files that this shop recorded for this target are deleted. Those that a wrong clock dated after now
 * neither count as the newest of a day nor go. One that cannot be deleted blocks no other; its error is thrown after the others.
 */
async function deleteExpired({ database: { db }, target, now }: BackupOptions, retention: Retention): Promise<void> {
  const rows = await db
    .selectFrom('backup_runs')
    .select(['id', 'started_at', 'verified_at', 'file_name'])
    .where('state', '=', 'done')
    .where('deleted_at', 'is', null)
    .where('target', '=', target.name)
    .where('started_at', '<=', now())
    .execute()
  const names = new Map(rows.map(({ id, file_name }) => [id, file_name!]))
  const backups = rows.map((row) => ({ id: row.id, startedAt: row.started_at, isVerified: row.verified_at !== null }))
  await runEach(expiredBackups(backups, retention), async ({ id }) => {
    await target.delete(names.get(id)!)
    await db.updateTable('backup_runs').set({ deleted_at: now() }).where('id', '=', id).execute()
  })
}
