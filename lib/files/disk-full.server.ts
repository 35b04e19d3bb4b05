/** Errors of PostgreSQL, the file system and the image library for a full disk. */
const FULL = new Set(['53100', 'ENOSPC', 'EDQUOT'])
const FULL_TEXT = /No space left on device|Disk quota exceeded/

/** A file system can become read-only after an error; a database is read-only as a standby. */
const READ_ONLY = new Set(['EROFS', '25006'])
const READ_ONLY_TEXT = /Read-only file system/
/** Permission errors count for file system calls only: EACCES of a connection has another meaning. */
const DENIED = new Set(['EACCES', 'EPERM'])
const WRITES = new Set(['open', 'mkdir', 'write', 'rename', 'copyfile', 'link', 'unlink', 'rm', 'ftruncate', 'fsync'])

/** Whether an error means that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return isDiskError(error, ({ code, message }) => FULL.has(code ?? '') || FULL_TEXT.test(message))
}

/** Whether an error means that a disk or folder cannot be written. */
export function isDiskReadOnly(error: unknown): boolean {
  return isDiskError(
    error,
    ({ code = '', syscall = '', message }) =>
      READ_ONLY.has(code) || READ_ONLY_TEXT.test(message) || (DENIED.has(code) && WRITES.has(syscall)),
  )
}

/** Whether an error means that this machine can write no file: its disk is full or read-only, or the folder belongs to another user. */
export const cannotWriteFiles = (error: unknown): boolean => isDiskFull(error) || isDiskReadOnly(error)

function isDiskError(error: unknown, matches: (error: NodeJS.ErrnoException) => boolean): boolean {
  return error instanceof Error && (matches(error) || isDiskError(error.cause, matches))
}
