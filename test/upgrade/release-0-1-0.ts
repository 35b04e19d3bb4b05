import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { migrateTo } from './migrate-to.ts'

/** The last migration of release 0.1.0. */
const LAST_MIGRATION = '0115'

/** A database under the schema of release 0.1.0, as text values. `test/fixtures/release-0.1.0.json.gz` holds one. */
interface ReleaseData {
  /** The last value of each sequence. */
  sequences: Record<string, string>
  tables: Record<string, { columns: string[]; rows: (string | null)[][] }>
}

/** Reads the fixture. */
export async function readRelease(): Promise<ReleaseData> {
  const file = path.resolve(import.meta.dirname, '../fixtures/release-0.1.0.json.gz')
  return JSON.parse(gunzipSync(await readFile(file)).toString('utf8')) as ReleaseData
}

/** Gives an empty database the schema and the rows of release 0.1.0. */
export async function fillWithRelease(url: string): Promise<void> {
  await migrateTo(url, LAST_MIGRATION)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`begin; set local timezone = 'UTC'; set local datestyle = 'iso, ymd'`)
    await withoutTriggers(client, () => insertAll(client))
    await client.query('commit')
  } finally {
    await client.end()
  }
}

async function insertAll(client: pg.Client): Promise<void> {
  const { tables, sequences } = await readRelease()
  for (const [table, { columns, rows }] of Object.entries(tables)) {
    const types = await columnTypes(client, table)
    const values = columns.map((column, at) => `(row ->> ${at})::${types.get(column)}`).join(', ')
    const names = columns.map((column) => client.escapeIdentifier(column)).join(', ')
    // Migrations insert some rows of their own.
    await client.query(`delete from "${table}"`)
    await client.query(
      `insert into "${table}" (${names}) overriding system value select ${values} from jsonb_array_elements($1::jsonb) as row`,
      [JSON.stringify(rows)],
    )
  }
  for (const [sequence, last] of Object.entries(sequences)) await client.query('select setval($1::regclass, $2)', [sequence, last])
}

/** Disables triggers and foreign keys during the work: the rows exist already, and their tables come in alphabetical order. */
async function withoutTriggers(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where connamespace = 'public'::regnamespace and contype = 'f'`,
  )
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint "${name}"`)
  for (const { name } of tables) await client.query(`alter table "${name}" disable trigger user`)
  await work()
  for (const { name } of tables) await client.query(`alter table "${name}" enable trigger user`)
  for (const { table, name, definition } of keys) await client.query(`alter table ${table} add constraint "${name}" ${definition}`)
}

async function columnTypes(client: pg.Client, table: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  )
  return new Map(rows.map(({ name, type }) => [name, type]))
}
