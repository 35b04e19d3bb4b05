import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DatabaseClient } from '#lib/db/database-hosts.server.ts'
import { applyMigration, LOCK_WAIT, type LockWait, type Migration, MigrationError } from './apply-migration.ts'
import { runMigrationText } from './migration-text.ts'
import { assertUtf8, assertVisibleTrigrams, rejectForeignTables } from './own-database.ts'
import { EQUIVALENT_CHECKSUMS, RENUMBERED } from './renumbered-migrations.ts'

const MIGRATIONS_DIR = path.resolve(import.meta.dirname, '../db/migrations')
// An arbitrary key of an advisory lock, unique in this database.
const MIGRATION_LOCK = 715_001_001
const LOCK_POLL_MS = 100
const LOG_AFTER_MS = 1500
const CREATE_MIGRATIONS_TABLE = `create table if not exists schema_migrations (
  name text primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

const OLDER =
  'The database is older than this copy of Khamar: start the shop, which brings it up to date, or use the copy that the shop runs from.'

const OTHER = 'Another process is bringing the database up to date; waiting for it…'

interface MigrateOptions {
  dir?: string
  /** Logs a step that takes longer than 1.5 s. */
  log?: (line: string) => void
  lockWait?: LockWait
}

/**
 * Applies missing migrations by number (`applyMigration`), and returns their names. An advisory lock serializes processes
 * that start concurrently. A changed applied file, and a database that is newer, not UTF-8 or of another program, throw a `MigrationError`.
 */
export async function migrate(
  url: string,
  { dir = MIGRATIONS_DIR, log = () => {}, lockWait = LOCK_WAIT }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(dir)
  const client = await connect(url)
  try {
    // The server ends the statement of a killed process within a second, and with it the lock. Some systems do not support the check.
    await client.query(`set client_connection_check_interval = '1s'`).catch(() => {})
    await logWhenSlow(log, OTHER, lockMigrations(client))
    await assertUtf8(client)
    await rejectForeignTables(client)
    await assertVisibleTrigrams(client)
    const done = await appliedMigrations(client, migrations)
    assertMatch(migrations, done)
    const missing = migrations.filter(({ name }) => !done.has(name))
    for (const [at, migration] of missing.entries()) {
      const line = `Bringing the database up to date, once: ${migration.name} (${at + 1} of ${missing.length})…`
      await logWhenSlow(log, line, applyMigration(client, migration, { ...lockWait, log }))
    }
    // A rewritten table has no visibility map and no statistics, so reads are slow. Autovacuum would run only after many more changes.
    if (missing.length > 0 && done.size > 0)
      await logWhenSlow(log, 'Looking through the tables that have changed, once…', client.query('vacuum (analyze)'))
    return { applied: missing.map(({ name }) => name) }
  } finally {
    await client.end()
  }
}

/** Waits until no process applies migrations, and applies none. */
export async function waitForMigrations(url: string, log: (line: string) => void): Promise<void> {
  const client = await connect(url)
  try {
    await logWhenSlow(log, OTHER, lockMigrations(client))
  } finally {
    await client.end()
  }
}

async function connect(url: string): Promise<DatabaseClient> {
  const client = new DatabaseClient({
    connectionString: url,
    application_name: 'khamar-migrate',
    connectionTimeoutMillis: 10_000,
    session: { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0, client_min_messages: 'warning' },
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

/**
 * Whether a backup with these migrations can be brought up to date by this release; throws a `MigrationError` when it is newer, or when
 * its migrations are not the first ones of this release.
 */
export async function assertUpgradable(applied: readonly { name: string; checksum: string }[]): Promise<void> {
  const migrations = await readMigrations(MIGRATIONS_DIR)
  assertMatch(
    migrations,
    new Map(applied.map(({ name, checksum }) => presentRecord(migrations, name, checksum))),
    'The backup is newer than this copy of Khamar',
  )
}

/** Throws a `MigrationError` unless the database is one of Khamar, and with `isCurrent` of exactly this release. Changes nothing. */
export async function assertShop(url: string, { isCurrent }: { isCurrent: boolean }): Promise<void> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'khamar-check', connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ exists: boolean }>(`select to_regclass('schema_migrations') is not null as exists`)
    if (!tables[0]!.exists)
      throw new MigrationError('There is no shop in this database: start the shop once, or set DATABASE_URL as for the shop.')
    if (!isCurrent) return
    const migrations = await readMigrations(MIGRATIONS_DIR)
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations order by name')
    assertMatch(migrations, new Map(rows.map(({ name, checksum }) => presentRecord(migrations, name, checksum))))
    if (rows.length < migrations.length) throw new MigrationError(OLDER)
  } finally {
    await client.end()
  }
}

/** Takes the lock of migrations until the caller's transaction ends: a shop that starts meanwhile waits for it. False while another has it. */
export async function lockForRestore(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [MIGRATION_LOCK])
  return rows[0]!.locked
}

/** Applies the first migrations in the transaction of the caller, on a database without tables: those of an older release, for a restore. */
export async function createSchema(client: pg.ClientBase, count: number, dir = MIGRATIONS_DIR): Promise<void> {
  await client.query(CREATE_MIGRATIONS_TABLE)
  for (const { name, checksum, text } of (await readMigrations(dir)).slice(0, count)) {
    await runMigrationText(client, text)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    // Waiting triggers would prevent the next migration from changing their tables.
    await client.query('set constraints all immediate')
  }
}

/** Name and checksum of today for the record of an applied migration. */
function presentRecord(migrations: readonly Migration[], name: string, checksum: string): [name: string, checksum: string] {
  const renamed = RENUMBERED[name]
  const today = renamed !== undefined && checksumOf(migrations, renamed) === checksum ? renamed : name
  return [today, EQUIVALENT_CHECKSUMS[today] === checksum ? (checksumOf(migrations, today) ?? checksum) : checksum]
}

/** Asks again and again: a statement that waits has a snapshot, for whose end an index that is built concurrently waits. */
async function lockMigrations(client: pg.Client): Promise<void> {
  while (true) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [MIGRATION_LOCK])
    if (rows[0]!.locked) return
    await sleep(LOCK_POLL_MS)
  }
}

/** Logs the line when the work takes longer than 1.5 s. */
async function logWhenSlow<T>(log: (line: string) => void, line: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(log, LOG_AFTER_MS, line)
  return work.finally(() => clearTimeout(timer))
}

async function readMigrations(dir: string): Promise<Migration[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  const odd = names.find((name) => !/^\d{4}_[a-z0-9_]+\.sql$/.test(name))
  if (odd) throw new MigrationError(`The migration ${odd} is not named like 0001_what_it_does.sql.`)
  const twin = names.find((name, index) => names[index + 1]?.slice(0, 4) === name.slice(0, 4))
  if (twin) throw new MigrationError(`Two migrations have the number ${twin.slice(0, 4)}.`)
  return Promise.all(
    names.map(async (file) => {
      const text = (await readFile(path.join(dir, file), 'utf8')).replaceAll('\r\n', '\n')
      return { name: file.replace(/\.sql$/, ''), checksum: createHash('sha256').update(text).digest('hex'), text }
    }),
  )
}

/** Checksums of the applied migrations by name. Records of renumbered migrations get their present name and checksum first. */
async function appliedMigrations(client: pg.Client, migrations: readonly Migration[]): Promise<Map<string, string>> {
  await client.query(CREATE_MIGRATIONS_TABLE)
  await client.query('begin')
  for (const [former, name] of Object.entries(RENUMBERED))
    await client.query('update schema_migrations set name = $2 where name = $1 and checksum = $3', [
      former,
      name,
      checksumOf(migrations, name),
    ])
  for (const [name, checksum] of Object.entries(EQUIVALENT_CHECKSUMS))
    await client.query('update schema_migrations set checksum = $3 where name = $1 and checksum = $2 and $3::text is not null', [
      name,
      checksum,
      checksumOf(migrations, name),
    ])
  await client.query('commit')
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations order by name')
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

const checksumOf = (migrations: readonly Migration[], name: string): string | null =>
  migrations.find((migration) => migration.name === name)?.checksum ?? null

function assertMatch(migrations: Migration[], done: Map<string, string>, newer = 'The database is newer than this copy of Khamar'): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const [name, checksum] of done) {
    const migration = known.get(name)
    if (!migration) {
      throw new MigrationError(`${newer}: it has the migration ${name}. Update this copy.`)
    }
    if (migration.checksum !== checksum) {
      throw new MigrationError(`The migration ${name} was changed after it was applied; put it back and add a new one instead.`)
    }
  }
  const last = [...done.keys()].at(-1) ?? ''
  const late = migrations.find(({ name }) => !done.has(name) && name < last)
  if (late) throw new MigrationError(`The migration ${late.name} comes before ${last}, which is applied already.`)
}
