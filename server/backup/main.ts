// node server/backup/main.ts schedule|admin [ACTOR]: one backup in a process of its own with a low priority. Settings come from the environment.
import { isBackupDue } from '#features/backup/schedule-rules.ts'
import { readPastRuns } from '#features/backup/queries.server.ts'
import { BACKUP_CONNECTIONS, lowerPriority, runBackup } from '#features/backup/run-backup.server.ts'
import { openTarget } from '#features/backup/target.server.ts'
import { readSettings } from '#features/settings/settings.server.ts'
import { openDb } from '#lib/db/db.server.ts'
import { openUploads } from '#lib/files/uploads.server.ts'
import { readEnv } from '#lib/runtime/env.server.ts'
import { openLog } from '#lib/runtime/log.server.ts'
import { verifyBackup } from './verify.ts'

const env = readEnv()
const log = openLog(env.logLevel)
const databaseUrl = env.databaseUrl ?? ''
const [startedBy, actor] = process.argv.slice(2)

/** Ends without a backup when another process has made tonight's. */
async function main(): Promise<void> {
  lowerPriority()
  const database = openDb(databaseUrl, BACKUP_CONNECTIONS)
  const target = openTarget(env)
  try {
    const { backup } = await readSettings(database.db)
    const isScheduled = startedBy !== 'admin'
    const now = new Date()
    if (isScheduled && !isBackupDue(now, backup.hour, await readPastRuns(database.db, now))) return
    await runBackup({
      database,
      uploads: openUploads(env.uploads),
      dataDir: env.dataDir,
      target,
      startedBy: isScheduled ? 'schedule' : 'admin',
      actorId: isScheduled ? null : Number(actor),
      now: () => new Date(),
      retention: backup,
      verify: (file, media) =>
        verifyBackup(file, { dataDir: env.dataDir, databaseUrl, shouldRestore: true, media, log: (line) => log.warn(line) }),
      warn: (error) => log.error({ err: error }, 'an expired backup was not deleted'),
    })
  } finally {
    target.close()
    await database.close()
  }
}

main().catch((error: unknown) => {
  log.error({ err: error }, 'the backup failed')
  process.exitCode = 1
})
