import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { isLate, readPastRuns } from '#features/backup/queries.server.ts'
import { isBackupDue, MAX_BACKUP_HOURS } from '#features/backup/schedule-rules.ts'
import type { Deps } from '../deps.ts'
import { DAY_MS } from '#lib/format/time.ts'

type Parts = Pick<Deps, 'db' | 'pool' | 'env' | 'log' | 'now' | 'shopCache'>

const MAIN = path.join(import.meta.dirname, 'main.ts')

/** The running backup of this process. */
let running: ChildProcess | null = null
let alarmedAt = 0

/** Starts the nightly backup when it is due, and logs an error once a day while the newest backup is too old. */
export async function scheduleBackup(deps: Parts): Promise<void> {
  const { backup } = await deps.shopCache.settings()
  const now = deps.now()
  if (isBackupDue(now, backup.hour, await readPastRuns(deps.db, now))) startBackup(deps, 'schedule')
  // A clock that was far ahead and was corrected delays no alarm.
  if (Math.abs(now.getTime() - alarmedAt) < DAY_MS || !(await isLate(deps.db, now))) return
  alarmedAt = now.getTime()
  deps.log.error(`the newest backup is older than ${MAX_BACKUP_HOURS} hours`)
}

/** Starts a backup as a process of its own; false while one of this process runs. Its result is in `backup_runs` and in the log. */
export function startBackup(
  { env, pool, log }: Pick<Parts, 'env' | 'pool' | 'log'>,
  startedBy: 'schedule' | 'admin',
  actorId?: number,
): boolean {
  if (running) return false
  const args = [MAIN, startedBy, ...(actorId === undefined ? [] : [String(actorId)])]
  running = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    // The embedded database has no URL in the environment.
    env: { ...process.env, DATABASE_URL: pool.options.connectionString, DATA_DIR: env.dataDir },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  running.on('error', (error) => {
    running = null
    log.error({ err: error }, 'the backup did not start')
  })
  running.on('exit', () => (running = null))
  return true
}

/** Ends the running backup: the database is about to stop. It leaves no file. */
export function stopBackup(): void {
  running?.kill('SIGTERM')
}
