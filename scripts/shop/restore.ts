import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { BackupFileError, UPLOADS } from '#features/backup/archive/format.ts'
import { fetchBackup, openTarget } from '#features/backup/target.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { urlsOfHosts } from '#lib/db/database-urls.ts'
import { openUploads } from '#lib/files/uploads.server.ts'
import { readEnv, type Env } from '#lib/runtime/env.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { type CheckedBackup, checkBackup, restoreBackup } from '#server/backup/restore.ts'
import { startEmbedded } from '#server/embedded-postgres.ts'
import { migrate } from '#server/migrate.ts'
import { operatorPath, readArguments } from './arguments.ts'
import { describeTotals } from './print-totals.ts'

export async function restore(args: string[]): Promise<number> {
  const { values, first } = readArguments('restore', args, { replace: { type: 'boolean' }, yes: { type: 'boolean' } }, 1)
  const env = readEnv()
  const local = await findFile(env, first)
  try {
    console.log('Reading the backup and its checksums…')
    const backup = await checkBackup(local.file)
    const { createdAt, migrations } = backup.manifest
    console.log(`Of ${createdAt.slice(0, 16).replace('T', ' ')} UTC, after migration ${migrations.at(-1)!.name}.`)
    if (values.replace && !values.yes && !(await confirm(env))) throw new SettingsError('Nothing was restored.')
    await restoreChecked(env, backup, values.replace ?? false)
    return 0
  } finally {
    await local.close()
  }
}

async function restoreChecked(env: Env, backup: CheckedBackup, replace: boolean): Promise<void> {
  const embedded = env.databaseUrl ? null : await startEmbedded({ dataDir: env.dataDir, log: console.error })
  const url = env.databaseUrl ?? embedded!.url
  try {
    const { pool, close } = openDb(url, { max: 1, applicationName: 'khamar-restore' })
    try {
      const totals = await restoreBackup(pool, backup, { uploads: openUploads(env.uploads), replace })
      for (const line of describeTotals(totals)) console.log(line)
    } finally {
      await close()
    }
    const uploads = backup.contents.entries.filter(({ name }) => name.startsWith(UPLOADS)).length
    const { applied } = await migrate(url, { log: console.log })
    console.log(
      `Restored: rows and sums equal those of the backup. ${uploads} files in ${env.uploads.bucket ? 'the bucket of UPLOADS' : env.uploads.folder}.`,
    )
    if (applied.length > 0) console.log(`Brought up to date: ${applied.length} migrations.`)
    console.log('Start the shop with the SESSION_SECRET that it had.')
  } finally {
    await embedded?.stop()
  }
}

/** A path, or the name of a file in BACKUP_TO, which is copied to this machine for the restore. */
async function findFile(env: Env, name: string): Promise<{ file: string; close(): Promise<void> }> {
  const local = operatorPath(name)
  if (existsSync(local)) return { file: local, close: async () => {} }
  const target = openTarget(env)
  const file = path.join(target.draftFolder, `${path.basename(name)}.restore-${process.pid}`)
  const close = () => rm(file, { force: true })
  try {
    if (path.basename(name) === name && (await fetchBackup(target, name, file))) return { file, close }
  } catch (error) {
    await close()
    throw error
  } finally {
    target.close()
  }
  throw new BackupFileError(`There is no file ${name}, and no backup of that name in ${env.backupTo}.`)
}

async function confirm(env: Env): Promise<boolean> {
  const place = env.databaseUrl ? `the database ${new URL(urlsOfHosts(env.databaseUrl)[0]!).pathname.slice(1)}` : env.dataDir
  if (!process.stdin.isTTY) throw new SettingsError('Nothing was restored. To replace everything, add --yes.')
  const asking = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await asking.question(`Everything in ${place} is deleted and replaced by the backup. Type yes to go on: `)
  asking.close()
  return answer.trim().toLowerCase() === 'yes'
}
