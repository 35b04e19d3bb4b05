import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { describeError } from '#lib/runtime/log.server.ts'

/** The migrations and the database do not fit together. The message is one line. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

type Migration = { name: string; checksum: string; text: string }

const MIGRATIONS_DIR = path.resolve(import.meta.dirname, '../db/migrations')
// Any number will do as long as nothing else in this database uses it as an advisory lock.
const MIGRATION_LOCK = 715_001_001
const A_MOMENT_MS = 1500

interface MigrateOptions {
  dir?: string
  /** ScanFeedback what is being waited for, when it takes longer than a moment. */
  say?: (line: string) => void
}

/**
 * Applies the migrations that the database does not have yet, in order of their numbers, each in a transaction of
 * its own, and answers which. Processes that start at once wait for each other. An already applied file that was
 * changed afterwards, and a database newer than this copy of the shop, are refused with a `MigrationError`.
 */
export async function migrate(url: string, { dir = MIGRATIONS_DIR, say = () => {} }: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(dir)
  const client = new pg.Client({
    connectionString: url,
    application_name: 'khamar-migrate',
    connectionTimeoutMillis: 10_000,
    options: '-c TimeZone=UTC -c statement_timeout=0 -c lock_timeout=0 -c client_min_messages=warning',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    const locked = client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await saying(say, 'Another process is bringing the database up to date; waiting for it…', locked)
    const done = await appliedMigrations(client)
    refuseMismatch(migrations, done)
    const missing = migrations.filter(({ name }) => !done.has(name))
    for (const [at, migration] of missing.entries()) {
      const line = `Bringing the database up to date, once: ${migration.name} (${at + 1} of ${missing.length})…`
      await saying(say, line, apply(client, migration))
    }
    // A table that was written anew is read slowly until somebody has noted that its rows are settled and what is in them: by itself the
    // database does so only after many more changes.
    if (missing.length > 0 && done.size > 0)
      await saying(say, 'Looking through the tables that have changed, once…', client.query('vacuum (analyze)'))
    return { applied: missing.map(({ name }) => name) }
  } finally {
    await client.end()
  }
}

/** Says the line when the work is still not over after a moment. */
async function saying<T>(say: (line: string) => void, line: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(say, A_MOMENT_MS, line)
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

async function appliedMigrations(client: pg.Client): Promise<Map<string, string>> {
  await client.query(
    `create table if not exists schema_migrations (
       name text primary key,
       checksum text not null,
       applied_at timestamptz not null default now()
     )`,
  )
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from schema_migrations order by name')
  return new Map(rows.map((row) => [row.name, row.checksum]))
}

function refuseMismatch(migrations: Migration[], done: Map<string, string>): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const [name, checksum] of done) {
    const migration = known.get(name)
    if (!migration) {
      throw new MigrationError(`The database is newer than this copy of Khamar: it has the migration ${name}.`)
    }
    if (migration.checksum !== checksum) {
      throw new MigrationError(`The migration ${name} was changed after it was applied; put it back and add a new one instead.`)
    }
  }
  const last = [...done.keys()].at(-1) ?? ''
  const late = migrations.find(({ name }) => !done.has(name) && name < last)
  if (late) throw new MigrationError(`The migration ${late.name} comes before ${last}, which is applied already.`)
}

async function apply(client: pg.Client, { name, checksum, text }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new MigrationError(`The migration ${name} failed and was undone: ${describeError(error).message}`, { cause: error })
  }
}
