/** As PostgreSQL, the file system and the picture library say that there is no room. */
const CODES = new Set(['53100', 'ENOSPC', 'EDQUOT'])
const TEXT = /No space left on device|Disk quota exceeded/

export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return CODES.has((error as NodeJS.ErrnoException).code ?? '') || TEXT.test(error.message) || isDiskFull(error.cause)
}
