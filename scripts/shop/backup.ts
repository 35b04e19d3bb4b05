import { statSync } from 'node:fs'
import { openTarget } from '#features/backup/target.server.ts'
import { BACKUP_CONNECTIONS, lowerPriority, runBackup } from '#features/backup/run-backup.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { parseBucketUrl } from '#lib/files/bucket.server.ts'
import { makeFolder } from '#lib/files/folders.server.ts'
import { openUploads } from '#lib/files/uploads.server.ts'
import { type CommandEnv, readCommandEnv } from '#lib/runtime/env.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { errorText } from '#lib/runtime/log.server.ts'
import { verifyBackup } from '#server/backup/verify.ts'
import { operatorPath, readArguments } from './arguments.ts'
import { openShopDatabase } from './open-database.ts'
import { describeTotals } from './print-totals.ts'

export async function backup(args: string[]): Promise<number> {
  const { values } = readArguments('backup', args, { to: { type: 'string' }, verify: { type: 'boolean' } })
  const env = withTarget(readCommandEnv(), values.to)
  // A backup before an upgrade may be made by the new release.
  const opened = await openShopDatabase(env, 'any')
  // The trial restore needs it, also beside a DATABASE_URL.
  makeFolder(env.dataDir)
  lowerPriority()
  const database = openDb(opened.url, BACKUP_CONNECTIONS)
  const target = openTarget(env)
  try {
    const result = await runBackup({
      database,
      uploads: openUploads(env.uploads),
      dataDir: env.dataDir,
      target,
      startedBy: 'command',
      actorId: null,
      now: () => new Date(),
      retention: values.to === undefined ? (await readSettings(database.db)).backup : null,
      verify: (file, media) =>
        verifyBackup(file, {
          dataDir: env.dataDir,
          databaseUrl: opened.url,
          shouldRestore: values.verify ?? false,
          media,
          log: console.error,
        }),
      warn: (error) => console.error(`An expired backup was not deleted: ${errorText(error)}`),
    })
    if (!result.ok) throw new SettingsError('A backup is already running.')
    const { fileName, isVerified, archive } = result
    console.log(`Backup: ${target.name}/${fileName}, ${Math.max(0.1, archive.bytes / 1_048_576).toFixed(1)} MiB, SHA-256 ${archive.sha256}`)
    for (const line of describeTotals(archive.totals)) console.log(line)
    console.log(isVerified ? 'Restored into a database of its own: rows and sums are equal.' : 'All checksums were read back.')
    if (isOnSameDisk(env))
      console.log('It lies on the disk of the shop: copy it elsewhere, or let BACKUP_TO name another disk or a bucket.')
    return 0
  } finally {
    target.close()
    await database.close()
    await opened.close()
  }
}

function withTarget(env: CommandEnv, to: string | undefined): CommandEnv {
  if (to === undefined) return env
  if (parseBucketUrl(to) === null) {
    if (to === '' || to.includes('://')) throw new SettingsError(`--to must be a folder, or look like s3://bucket/prefix, not "${to}".`)
    return { ...env, backupTo: operatorPath(to) }
  }
  if (env.s3 === null) throw new SettingsError('--to names a bucket: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY too.')
  return { ...env, backupTo: to }
}

/** A broken disk would take the shop and such a backup together. */
function isOnSameDisk({ backupTo, dataDir }: CommandEnv): boolean {
  return parseBucketUrl(backupTo) === null && statSync(backupTo).dev === statSync(dataDir).dev
}
