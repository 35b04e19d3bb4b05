import { to as copyTo } from 'pg-copy-streams'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { ArchiveWriter } from './archive/archive-writer.server.ts'
import { CONTENTS, type Contents, FORMAT_VERSION, type Manifest, MANIFEST, type Totals, UPLOAD_NAME, UPLOADS } from './archive/format.ts'
import { inSteps, listTables, MIGRATIONS_TABLE, type PoolClient, quoted, readSequences, readTotals } from './tables.server.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
/** Blocks of a table that are read at once, 512 KiB: orders wait some milliseconds for PostgreSQL, not longer. */
export const BLOCKS_AT_ONCE = 64

export interface WrittenArchive {
  bytes: number
  sha256: string
  totals: Totals
  /** Names of the uploads in it. */
  uploads: string[]
}

/**
 * Writes the database and the uploads into a new file. All tables are read in one REPEATABLE READ snapshot, so that the backup is the
 * state of one moment while orders go on. Uploads are written once and deleted hours after their row, so they may be read later.
 */
export async function writeArchive(client: PoolClient, options: { file: string; uploads: Uploads; now: Date }): Promise<WrittenArchive> {
  const archive = new ArchiveWriter(options.file)
  try {
    const contents = await inSnapshot(client, () => writeDatabase(client, archive, options.now))
    const uploads = await writeUploads(archive, options.uploads)
    const complete: Contents = { ...contents, entries: archive.entries }
    await archive.add(CONTENTS, Buffer.from(JSON.stringify(complete)))
    return { ...(await archive.finish()), totals: contents.tables, uploads }
  } catch (error) {
    await archive.abort()
    throw error
  }
}

/**
 * Runs `read` in one REPEATABLE READ snapshot without timeouts and without parallel workers: the other cores belong to the shop. All tables
 * are locked before the snapshot is taken: one that a migration rewrites afterwards would be empty in it.
 */
export async function inSnapshot<T>(client: PoolClient, read: () => Promise<T>): Promise<T> {
  const tables = (await listTables(client)).map(({ name }) => quoted(name))
  await client.query('begin transaction isolation level repeatable read read only')
  try {
    await client.query('set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0')
    await client.query('set local max_parallel_workers_per_gather = 0')
    await client.query(`lock table ${tables.join(', ')} in access share mode`)
    return await read()
  } finally {
    await client.query('rollback')
  }
}

async function writeDatabase(client: PoolClient, archive: ArchiveWriter, now: Date): Promise<Omit<Contents, 'entries'>> {
  const migrations = await client.query<Manifest['migrations'][number]>(`select name, checksum from ${MIGRATIONS_TABLE} order by name`)
  const tables = await listTables(client)
  const manifest: Manifest = {
    format: FORMAT_VERSION,
    createdAt: now.toISOString(),
    migrations: migrations.rows,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
  }
  await archive.add(MANIFEST, Buffer.from(JSON.stringify(manifest)))
  for (const table of tables) await writeTable(client, archive, table)
  // Sequences are outside of snapshots. Read after the snapshot was taken, they are beyond every id in it.
  return { tables: await readTotals(client, tables, BLOCKS_AT_ONCE), sequences: await readSequences(client) }
}

/** Writes the rows of a table as entries of some megabytes, because a tar entry begins with its size. */
async function writeTable(client: PoolClient, archive: ArchiveWriter, { name, columns }: Manifest['tables'][number]): Promise<void> {
  let chunks: Buffer[] = []
  let bytes = 0
  let number = 0
  const writeChunk = async () => {
    number += 1
    await archive.add(`data/${name}/${String(number).padStart(6, '0')}`, Buffer.concat(chunks))
    chunks = []
    bytes = 0
  }
  await inSteps(client, name, BLOCKS_AT_ONCE, async (range) => {
    const rows = client.query(copyTo(`copy (select ${columns.map(quoted).join(', ')} from ${quoted(name)} where ${range}) to stdout`))
    for await (const chunk of rows) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
    }
    if (bytes >= CHUNK_BYTES) await writeChunk()
  })
  if (bytes > 0) await writeChunk()
}

/** Adds the uploads in the order of their names, and returns these. A file that is deleted meanwhile belongs to no row of the snapshot. */
async function writeUploads(archive: ArchiveWriter, uploads: Uploads): Promise<string[]> {
  const names: string[] = []
  const written: string[] = []
  for await (const { name } of uploads.list()) if (UPLOAD_NAME.test(name)) names.push(name)
  for (const name of names.toSorted()) {
    const bytes = await uploads.find(name)
    if (!bytes) continue
    await archive.add(`${UPLOADS}${name}`, bytes)
    written.push(name)
  }
  return written
}
