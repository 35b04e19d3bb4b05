/** As PostgreSQL, the file system and the picture library say that there is no room. */
const FULL = new Set(['53100', 'ENOSPC', 'EDQUOT'])
const FULL_TEXT = /No space left on device|Disk quota exceeded/

/** A disk becomes read-only by itself after an error; a database does as a standby. */
const READ_ONLY = new Set(['EROFS', '25006'])
const READ_ONLY_TEXT = /Read-only file system/
/** Not permitted to write: EACCES of another call, as of a connection, means something else. */
const DENIED = new Set(['EACCES', 'EPERM'])
const WRITES = new Set(['open', 'mkdir', 'write', 'rename', 'copyfile', 'link', 'unlink', 'rm', 'ftruncate', 'fsync'])

/** Whether a disk that is written to has no room. */
export function isDiskFull(error: unknown): boolean {
  return isOfDisk(error, ({ code, message }) => FULL.has(code ?? '') || FULL_TEXT.test(message))
}

/** Whether a disk or folder that is written to does not allow it. */
export function isDiskReadOnly(error: unknown): boolean {
  return isOfDisk(
    error,
    ({ code = '', syscall = '', message }) =>
      READ_ONLY.has(code) || READ_ONLY_TEXT.test(message) || (DENIED.has(code) && WRITES.has(syscall)),
  )
}

function isOfDisk(error: unknown, says: (error: NodeJS.ErrnoException) => boolean): boolean {
  return error instanceof Error && (says(error) || isOfDisk(error.cause, says))
}
