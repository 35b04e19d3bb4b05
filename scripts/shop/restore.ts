import { accessSync, existsSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { BackupFileError, DamagedBackupError, UPLOADS } from '#features/backup/archive/format.ts'
import { fetchBackup, openTarget } from '#features/backup/target.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { urlsOfHosts } from '#lib/db/database-urls.ts'
import { parseBucketUrl } from '#lib/files/bucket.server.ts'
import { openUploads } from '#lib/files/uploads.server.ts'
import { plural } from '#lib/format/plural.ts'
import { type CommandEnv, readCommandEnv } from '#lib/runtime/env.server.ts'
import { type CheckedBackup, checkBackup, restoreBackup } from '#server/backup/restore.ts'
import { startEmbedded } from '#server/embedded-postgres.ts'
import { migrate } from '#server/migrate.ts'
import { operatorPath, readArguments } from './arguments.ts'
import { confirm } from './confirm.ts'
import { COMMAND_CONNECTION } from './open-database.ts'
import { describeTotals } from './print-totals.ts'

export async function restore(args: string[]): Promise<number> {
  const { values, first } = readArguments('restore', args, { replace: { type: 'boolean' }, yes: { type: 'boolean' } }, 1)
  const env = readCommandEnv()
  const local = await findFile(env, first)
  try {
    console.log('Reading the backup and its checksums…')
    const backup = await checkBackup(local.file).catch(adviseCopy)
    const { createdAt, migrations } = backup.manifest
    console.log(`Of ${createdAt.slice(0, 16).replace('T', ' ')} UTC, after migration ${migrations.at(-1)!.name}.`)
    if (values.replace && !values.yes) await confirmReplacement(env)
    await restoreChecked(env, backup, values.replace ?? false)
    return 0
  } finally {
    await local.close()
  }
}

function adviseCopy(error: unknown): never {
  if (!(error instanceof DamagedBackupError)) throw error
  throw new BackupFileError(`${error.message} Copy it again, or take another one.`)
}

async function restoreChecked(env: CommandEnv, backup: CheckedBackup, replace: boolean): Promise<void> {
  const embedded = env.databaseUrl ? null : await startEmbedded({ dataDir: env.dataDir, log: console.error })
  const url = env.databaseUrl ?? embedded!.url
  try {
    const { pool, close } = openDb(url, { ...COMMAND_CONNECTION, applicationName: 'khamar-restore', statementTimeout: 0 })
    try {
      const totals = await restoreBackup(pool, backup, { uploads: openUploads(env.uploads), replace })
      for (const line of describeTotals(totals)) console.log(line)
      // A stop waits a few seconds: what is not on the disk by then would be recovered at the next start.
      if (embedded) await pool.query('checkpoint')
    } finally {
      await close()
    }
    const uploads = backup.contents.entries.filter(({ name }) => name.startsWith(UPLOADS)).length
    const { applied } = await migrate(url, { log: console.log })
    console.log(
      `Restored: rows and sums equal those of the backup. ${plural(String(uploads), 'file')} in ${env.uploads.bucket ? 'the bucket of UPLOADS' : env.uploads.folder}.`,
    )
    if (applied.length > 0) console.log(`Brought up to date: ${plural(String(applied.length), 'migration')}.`)
    console.log('Start the shop with the SESSION_SECRET that it had.')
  } finally {
    await embedded?.stop()
  }
}

/** A path, or the name of a file in BACKUP_TO. One in a bucket is copied to this machine until `close`. */
async function findFile(env: CommandEnv, name: string): Promise<{ file: string; close(): Promise<void> }> {
  const isStored = path.basename(name) === name
  const isInBucket = parseBucketUrl(env.backupTo) !== null
  const paths = [operatorPath(name), ...(isStored && !isInBucket ? [path.join(env.backupTo, name)] : [])]
  const file = paths.find((one) => existsSync(one))
  if (file !== undefined) return { file, close: async () => {} }
  const copy = isStored && isInBucket && (await copyToDisk(env, name))
  if (copy) return copy
  for (const one of paths) assertVisible(one)
  throw new BackupFileError(`There is no file ${name}, and no backup of that name in ${env.backupTo}.`)
}

/** Throws Node's error for a file in a folder of another user, in which none can be seen. */
function assertVisible(file: string): void {
  try {
    accessSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error
  }
}

/** Copies a backup out of the bucket; false when it is not there. No copy stays when the command is stopped. */
async function copyToDisk(env: CommandEnv, name: string): Promise<{ file: string; close(): Promise<void> } | false> {
  const target = openTarget(env)
  const file = path.join(target.draftFolder, `${name}.restore-${process.pid}`)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      rmSync(file, { force: true })
      // Its handler is gone: the signal ends the process now.
      process.kill(process.pid, signal)
    })
  const close = () => rm(file, { force: true })
  try {
    return (await fetchBackup(target, name, file)) && { file, close }
  } catch (error) {
    await close()
    throw error
  } finally {
    target.close()
  }
}

async function confirmReplacement(env: CommandEnv): Promise<void> {
  const place = env.databaseUrl ? `the database ${new URL(urlsOfHosts(env.databaseUrl)[0]!).pathname.slice(1)}` : env.dataDir
  await confirm(`Everything in ${place} is deleted and replaced by the backup.`, 'Nothing was restored.')
}
