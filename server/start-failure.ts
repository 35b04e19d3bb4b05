import { isDatabaseAway } from '#lib/db/db.server.ts'
import { isDiskFull, isDiskReadOnly } from '#lib/files/disk-full.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { DatabaseStartError } from './embedded/start-error.ts'
import { MigrationError } from './apply-migration.ts'

/** The line that explains why the shop did not start; null for unexpected errors, which are shown with their stack. */
export function failedStart(error: unknown): string | null {
  if (error instanceof SettingsError || error instanceof DatabaseStartError) return error.message
  if (isDiskFull(error)) return 'The disk is full: make room and start again. What was stored before is unchanged.'
  if (error instanceof MigrationError && !isDatabaseAway(error)) return error.message
  if (isDiskReadOnly(error)) {
    // A copy names its source as the path.
    const { path = 'DATA_DIR', dest = path } = error as NodeJS.ErrnoException & { dest?: string }
    return `${dest} cannot be written to: the disk is read-only, or belongs to another user. Start as the owner, or choose another DATA_DIR.`
  }
  // Without room for its log, or killed for its memory, the database ends.
  if (isDatabaseAway(error))
    return 'The database went away while the shop was starting: look whether the disk or the memory is full, and start again. What was stored before is unchanged.'
  return null
}
