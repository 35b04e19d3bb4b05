/** The embedded database cannot start. The message is one line for the user who started the shop. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
}

type Explanation = { pattern: RegExp; message: (dataDir: string) => string }

const EXPLANATIONS: Explanation[] = [
  {
    // When the disk had room for a part of a block, this is the whole message.
    pattern: /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT|wrote only \d+ of \d+ bytes/,
    message: (dataDir) => `The disk is full: the database in ${dataDir} cannot start until there is room.`,
  },
  {
    pattern: /Read-only file system|EROFS/,
    message: (dataDir) => `The disk of ${dataDir} is read-only; choose another folder with DATA_DIR.`,
  },
  {
    pattern: /lock file "postmaster\.pid" already exists|Is another postmaster/,
    message: (dataDir) => `The database in ${dataDir} is already running under another program; stop that one first.`,
  },
  {
    pattern: /pre-existing shared memory block/,
    message: (dataDir) => `An earlier database process in ${dataDir} has not ended yet; try again in a moment.`,
  },
  {
    pattern: /initialized by PostgreSQL version|database files are incompatible/,
    message: (dataDir) => `The database in ${dataDir} was made by another PostgreSQL version; see "Upgrading" in docs/operations.md.`,
  },
  {
    pattern: /could not create shared memory|could not map anonymous shared memory|Cannot allocate memory/,
    message: () => 'There is not enough memory for the database.',
  },
  {
    pattern: /error while loading shared libraries|Exec format error|cannot execute|ENOEXEC|not found \(required by/,
    message: () => 'The embedded database does not run on this system; install PostgreSQL and set DATABASE_URL.',
  },
  {
    pattern: /Permission denied|EACCES|EPERM|wrong ownership|could not change permissions/,
    message: (dataDir) => `The database in ${dataDir} belongs to another user; start as that user or choose another DATA_DIR.`,
  },
]

/** The line to show for an error of PostgreSQL or the file system; unknown errors name `logFile`. */
export function explain(output: string, dataDir: string, logFile?: string): DatabaseStartError {
  const known = EXPLANATIONS.find(({ pattern }) => pattern.test(output))
  if (known) return new DatabaseStartError(known.message(dataDir))
  const lastError = output.split('\n').findLast((line) => /FATAL|PANIC|error/i.test(line)) ?? output.trim()
  const reason = lastError.replace(/^.*?(FATAL|PANIC|error):\s*/i, '').trim() || 'it gave no reason'
  const where = logFile ? ` (more in ${logFile})` : ''
  return new DatabaseStartError(`The embedded database did not start: ${reason}${where}`)
}

/** The same for an error of the file system or of starting a program; any other error is given back as it is. */
export function explainThrown(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  return explain(`error: ${error.message}`, dataDir)
}
