import { BackupFileError } from '#features/backup/archive/format.ts'
import { isDatabaseAway } from '#lib/db/db.server.ts'
import { BucketError } from '#lib/files/bucket-error.server.ts'
import { isDiskFull } from '#lib/files/disk-full.server.ts'
import { errorText } from '#lib/runtime/log.server.ts'
import { SettingsError } from '#lib/runtime/settings-error.ts'
import { MigrationError } from '#server/apply-migration.ts'
import { explainUnusable } from '#server/database-refused.ts'
import { DatabaseStartError } from '#server/embedded/start-error.ts'

/** Errors whose message is one line for the operator. */
const EXPECTED = [SettingsError, BackupFileError, BucketError, DatabaseStartError]

/** Why a file or folder that the operator named cannot be used, and what to do, by Node's codes. */
const REASONS: Record<string, string> = {
  EACCES: 'this user may not read or write there; name another folder, or run this as its owner',
  EPERM: 'this user may not read or write there; name another folder, or run this as its owner',
  EROFS: 'its disk is read-only; name a folder on another disk',
  EEXIST: 'it is there already, and no folder; name a folder',
  ENOTDIR: 'a part of its path is a file; name a folder',
}

/** The line that a command prints when it fails; an unexpected error has its stack below. */
export function explainError(thrown: unknown): string {
  const error = explainUnusable(thrown)
  if (EXPECTED.some((kind) => error instanceof kind)) return (error as Error).message
  if (isDiskFull(error)) return 'The disk is full: make room (df -h shows which one it is), and run the command again.'
  const { code, path, syscall } = error as NodeJS.ErrnoException
  if (code !== undefined && path !== undefined && syscall !== undefined)
    return `${path} cannot be used (${code} at ${syscall})${REASONS[code] ? `: ${REASONS[code]}` : ''}.`
  if (isDatabaseAway(error))
    return 'The database went away: look whether the disk or the memory is full. Nothing is half done: run the command again.'
  if (error instanceof MigrationError) return error.message
  return errorText(error)
}
