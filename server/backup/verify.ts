import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Totals } from '#features/backup/archive/format.ts'
import type { CountedMedia } from '#features/backup/media-files.server.ts'
import { BACKUP_CONNECTIONS } from '#features/backup/run-backup.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { startEmbedded } from '../embedded-postgres.ts'
import { DatabaseStartError } from '../embedded/start-error.ts'
import { checkBackup, restoreBackup } from './restore.ts'
import { withDatabaseOnServer } from './scratch-on-server.ts'

const SCRATCH_PREFIX = 'backup-check-'
/** Settings of a database that may be lost. */
const SCRATCH_SETTINGS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', wal_level: 'minimal', max_wal_senders: '0' }
/** A restored database with its WAL needs some times the bytes of the compressed file. */
const ROOM_FACTOR = 20

export interface VerifyOptions {
  dataDir: string
  /** The shop's database. */
  databaseUrl: string
  /** Whether to restore, beside comparing checksums. */
  shouldRestore: boolean
  media: CountedMedia
  log(line: string): void
}

/**
 * Reads the file, compares all checksums, and restores it into a database of its own, deleted afterwards: an embedded one in `dataDir`, or
 * where none runs, one on the server of the shop's database. Returns whether it was restored: not without room, without the right to
 * create that database, or when no picture is in it. Throws when it cannot be restored with equal sums.
 */
export async function verifyBackup(file: string, options: VerifyOptions): Promise<boolean> {
  const backup = await checkBackup(file, { isBesideOrders: true })
  const { stored, found } = options.media
  if (found < stored)
    options.log(`The backup has ${found} of ${stored} pictures and videos: look whether DATA_DIR and UPLOADS are those of the shop.`)
  // The retention never deletes the newest verified backup, which has the pictures.
  if (!options.shouldRestore || (stored > 0 && found === 0)) return false
  if (!(await hasRoom(options.dataDir, (await stat(file)).size))) {
    options.log('There is no room to restore the backup for a check; its checksums were compared.')
    return false
  }
  const restore = (url: string) => restoreInto(url, backup)
  const totals =
    (await withScratchDatabase(options, restore)) ?? (await withDatabaseOnServer(options.databaseUrl, restore, (line) => options.log(line)))
  if (totals === null) options.log('The checksums of the backup were compared.')
  return totals !== null
}

async function restoreInto(url: string, backup: Awaited<ReturnType<typeof checkBackup>>): Promise<Totals> {
  const { pool, close } = openDb(url, { ...BACKUP_CONNECTIONS, max: 1, applicationName: 'khamar-restore' })
  try {
    // Uploads are compared by their checksums.
    return await restoreBackup(pool, backup, { uploads: null, replace: false })
  } finally {
    await close()
  }
}

async function hasRoom(folder: string, size: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize > size * ROOM_FACTOR
}

/** Runs `use` with a new database; null where the embedded database cannot run. */
async function withScratchDatabase<T>({ dataDir, log }: VerifyOptions, use: (url: string) => Promise<T>): Promise<T | null> {
  await removeLeftOvers(dataDir)
  const folder = await mkdtemp(path.join(dataDir, SCRATCH_PREFIX))
  try {
    const scratch = await startEmbedded({ dataDir: folder, log, settings: SCRATCH_SETTINGS })
    try {
      return await use(scratch.url)
    } finally {
      await scratch.stop()
    }
  } catch (error) {
    if (!(error instanceof DatabaseStartError)) throw error
    log(`The backup is not restored into an embedded database for a check: ${error.message}`)
    return null
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Folders of killed checks. The lock of backups keeps two checks of one shop apart. */
async function removeLeftOvers(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => [])
  for (const name of names.filter((name) => name.startsWith(SCRATCH_PREFIX)))
    await rm(path.join(dataDir, name), { recursive: true, force: true })
}
