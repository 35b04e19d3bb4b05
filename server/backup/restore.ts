import { buffer } from 'node:stream/consumers'
import type pg from 'pg'
import { checkArchive, readArchive } from '#features/backup/archive/archive-reader.server.ts'
import { BackupFileError, type Contents, type Manifest, type Totals, UPLOADS } from '#features/backup/archive/format.ts'
import { listTables, type PoolClient, readTotals } from '#features/backup/tables.server.ts'
import type { Uploads } from '#lib/files/uploads.server.ts'
import { assertUpgradable, createSchema, lockForRestore } from '../migrate.ts'
import { assertUtf8, rejectForeignTables } from '../own-database.ts'
import { rejectRunningShop } from '../running-shop.ts'
import { dropEverything, isEmpty } from './empty-database.ts'
import { TableLoader, withBareTables } from './load-tables.ts'

export interface CheckedBackup {
  file: string
  manifest: Manifest
  contents: Contents
}

/** Reads the whole file. Throws a `BackupFileError` or `MigrationError` for a file that this release cannot restore; changes nothing. */
export async function checkBackup(file: string, options: { isBesideOrders?: boolean } = {}): Promise<CheckedBackup> {
  const { manifest, contents } = await checkArchive(file, options)
  await assertUpgradable(manifest.migrations)
  return { file, manifest, contents }
}

/**
 * Restores a checked backup in one transaction: the schema of its release, rows, indexes, references, sums. It commits when the sums
 * equal those of the file; a failure or a killed process leaves the database as it was. `uploads`: where its files go, or null without them.
 * Works as the plain owner of the database. The caller then applies newer migrations.
 */
export async function restoreBackup(
  pool: pg.Pool,
  { file, manifest, contents }: CheckedBackup,
  options: { uploads: Uploads | null; replace: boolean },
): Promise<Totals> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local statement_timeout = 0; set local lock_timeout = 10000; set local idle_in_transaction_session_timeout = 0')
    if (!(await lockForRestore(client)))
      throw new BackupFileError('Another process restores or migrates this database: wait until it has ended.')
    await rejectRunningShop(client)
    await assertUtf8(client)
    await rejectForeignTables(client)
    if (options.replace) await dropEverything(client)
    else if (!(await isEmpty(client))) throw new BackupFileError('The database is not empty. To replace everything in it, add --replace.')
    await createSchema(client, manifest.migrations.length)
    await assertColumns(client, manifest)
    await withBareTables(client, async () => {
      const loader = new TableLoader(client, manifest)
      await readArchive(file, contents, async (name, body) => {
        if (!name.startsWith(UPLOADS)) return loader.take(name, body)
        await loader.finish()
        await options.uploads?.write(name.slice(UPLOADS.length), await buffer(body))
      })
      await loader.finish()
    })
    await setSequences(client, contents)
    const totals = await readTotals(client, await listTables(client))
    assertEqualTotals(totals, contents.tables)
    // The row of the backup itself, which was not finished in its own snapshot.
    if (totals.backup_runs) await client.query("delete from backup_runs where state = 'running'")
    // People may have got the SMS after the backup, so staff decide whether a campaign goes on.
    if (totals.campaigns) await client.query("update campaigns set state = 'paused' where state = 'running'")
    await client.query('analyze')
    await client.query('commit')
    return totals
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release(true)
  }
}

/** Columns of the file that the schema of its migrations does not have mean that the schema was changed by hand. */
async function assertColumns(client: PoolClient, manifest: Manifest): Promise<void> {
  const known = new Map((await listTables(client)).map(({ name, columns }) => [name, new Set(columns)]))
  for (const { name, columns } of manifest.tables) {
    const odd = columns.find((column) => !known.get(name)?.has(column))
    if (odd) throw new BackupFileError(`The backup has ${name}.${odd}, which no migration of it created. It cannot be restored.`)
  }
}

/** Sets the last used value, not the next one: PostgreSQL shows a sequence with a next value only as unused, also to a later backup. */
async function setSequences(client: PoolClient, { sequences }: Contents): Promise<void> {
  for (const [name, next] of Object.entries(sequences))
    await client.query(
      `select setval(format('%I.%I', schemaname, sequencename)::regclass, $2::bigint - increment_by, true) from pg_sequences
       where schemaname = current_schema() and sequencename = $1 and $2::bigint <> start_value`,
      [name, next],
    )
}

/** Compares rows and sums of every table of the file. */
function assertEqualTotals(found: Totals, expected: Totals): void {
  for (const [table, { rows, sums }] of Object.entries(expected)) {
    const other = found[table]
    const isEqual = other?.rows === rows && Object.entries(sums).every(([column, sum]) => other.sums[column] === sum)
    if (!isEqual) throw new BackupFileError(`The sums of ${table} are not those of the backup. Nothing was restored.`)
  }
}
