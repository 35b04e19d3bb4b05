import { z } from 'zod'

// A backup is a tar archive compressed with zstd: manifest.json, data/TABLE/NNNNNN (COPY text of a table, cut anywhere),
// uploads/NAME, and contents.json with the SHA-256 of every entry before it. An archive without its contents.json is incomplete.

/** Rises with every change that an older release could not read. */
export const FORMAT_VERSION = 1
export const FILE_ENDING = '.khamar-backup'

export const MANIFEST = 'manifest.json'
export const CONTENTS = 'contents.json'
export const UPLOADS = 'uploads/'

const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/)
/** A plain file name, which cannot lead out of its folder. */
export const UPLOAD_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,200}$/
export const DATA_NAME = /^data\/([a-z_][a-z0-9_]{0,62})\/\d{6}$/

export const manifestSchema = z.object({
  format: z.number().int().min(1),
  createdAt: z.string(),
  /** Applied migrations, in order. */
  migrations: z.array(z.object({ name: z.string().regex(/^\d{4}_[a-z0-9_]+$/), checksum: z.string() })).min(1),
  tables: z.array(z.object({ name: identifier, columns: z.array(identifier).min(1) })),
})

/** The rows of a table, and its sums of money, weights and quantities as decimal text. */
const tableTotalsSchema = z.object({ rows: z.number().int().min(0), sums: z.record(identifier, z.string()) })

export const contentsSchema = z.object({
  entries: z.array(z.object({ name: z.string(), bytes: z.number().int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
  tables: z.record(identifier, tableTotalsSchema),
  /** The next values of the sequences. */
  sequences: z.record(identifier, z.string().regex(/^\d+$/)),
})

export type Manifest = z.infer<typeof manifestSchema>
export type Contents = z.infer<typeof contentsSchema>
export type ArchiveEntry = Contents['entries'][number]
export type Totals = Contents['tables']

/** The file cannot be restored. The message is one line for people. */
export class BackupFileError extends Error {
  override name = 'BackupFileError'
}

/** The file is not whole: another copy of it may be. */
export class DamagedBackupError extends BackupFileError {}
