export type BackupFailure =
  | 'disk-full'
  | 'not-mounted'
  | 'not-writable'
  | 'no-folder'
  | 'keys'
  | 'no-bucket'
  | 'clock'
  | 'bucket-away'
  | 'damaged'
  | 'interrupted'
  | 'database'

/** By the texts of `backup_runs`, the first match wins: a bucket and a database name the same codes of Node. */
const TEXTS: readonly (readonly [RegExp, BackupFailure])[] = [
  [/^The disk is full/, 'disk-full'],
  [/is the disk mounted\?/, 'not-mounted'],
  // Of the backup's own files: an upload that cannot be read has the same codes.
  [/^(EACCES|EPERM|EROFS)\b.* (mkdir '|\w+ '.*\/khamar-[^/']*'$)/, 'not-writable'],
  [/^(ENOENT|ENOTDIR|EEXIST)\b.* (mkdir '|open '.*\/khamar-[^/']*'$)/, 'no-folder'],
  [/^The bucket .* refuses the keys/, 'keys'],
  [/^The bucket .* (does not exist|is in another region)/, 'no-bucket'],
  [/^The bucket .* refuses the time/, 'clock'],
  [/^The bucket .* does not answer/, 'bucket-away'],
  [/^The backup file is damaged|its end is missing|^The sums of /, 'damaged'],
  [/^The process ended before/, 'interrupted'],
  [/timeout|timed out|Connection terminated|terminating connection|connection to server|ECONNREFUSED|ECONNRESET|ETIMEDOUT/i, 'database'],
]

/** The cause of a failed backup by its recorded error; null for one that is not known. */
export function backupFailure(error: string): BackupFailure | null {
  return TEXTS.find(([text]) => text.test(error))?.[1] ?? null
}
