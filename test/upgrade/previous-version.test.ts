import type pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { describeStatement, type ResultColumn } from '#scripts/check-sql/describe-statement.ts'
import { readStoredStatements } from '#scripts/check-sql/stored-statements.ts'
import { openDb } from '#lib/db/db.server.ts'
import { newDatabase, testDb } from '#test/db.ts'
import { migrateTo } from './migrate-to.ts'

// During an upgrade processes of the version before run on the new schema (decisions 42 and 48): PostgreSQL accepts their statements there
// and returns the same columns, and the tables take the rows that they write.

const { version, lastMigration, texts } = readStoredStatements()
const { url } = await testDb()
const before = await newDatabase({ template: 'template1' })
await migrateTo(before.url, lastMigration)
afterAll(() => before.drop())

interface Schema {
  /** Result columns by statement, or PostgreSQL's error. */
  results: Map<string, string>
  columns: Map<string, Column>
}

interface Column {
  type: string
  isNullable: boolean
  isFilled: boolean
}

const COLUMNS = `
  select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not (a.attnotnull or d.typnotnull) as "isNullable",
         a.atthasdef or a.attidentity <> '' as "isFilled"
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type d on d.oid = a.atttypid
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`

/** Types of the result are compared by name: the numbers of own types differ between databases. */
async function readSchema(client: pg.ClientBase): Promise<Schema> {
  const { rows: types } = await client.query<{ oid: number; name: string }>('select oid::int, typname as name from pg_type')
  const typeName = new Map(types.map(({ oid, name }) => [oid, name]))
  const shown = (columns: ResultColumn[]) => columns.map(({ name, typeId }) => `${name} ${typeName.get(typeId)}`).join(', ')
  const results = new Map<string, string>()
  for (const text of texts) {
    const result = describeStatement(client, new Map(), text).then(shown, (error: Error) => `error: ${error.message}`)
    results.set(text, await result)
  }
  const { rows } = await client.query<Column & { name: string }>(COLUMNS)
  return { results, columns: new Map(rows.map(({ name, ...column }) => [name, column])) }
}

/** Columns that may be null now, each with the reason why the previous version can go on. */
const NULLABLE_NOW: Record<string, string> = {
  'pos_returns.shift_id': 'no statement returns it; joins with the shift leave out returns of the admin, which have none',
}

/** What the previous version would notice; columns and tables that a contracting migration drops are unused by its statements. */
function differences(earlier: Schema, later: Schema): string[] {
  const statements = texts.flatMap((text) => {
    const [was, is] = [earlier.results.get(text), later.results.get(text)]
    return was === is ? [] : [`${is} instead of ${was} in: ${text}`]
  })
  const tables = new Set([...earlier.columns.keys()].map((name) => name.split('.')[0]!))
  const columns = [...later.columns].flatMap(([name, column]) => {
    const was = earlier.columns.get(name)
    if (!was) return tables.has(name.split('.')[0]!) && !column.isNullable && !column.isFilled ? [`${name} is new and required`] : []
    if (was.type !== column.type) return [`${name} was ${was.type} and is ${column.type}`]
    if (column.isNullable && Object.hasOwn(NULLABLE_NOW, name)) return []
    if (was.isNullable !== column.isNullable) return [`${name} ${column.isNullable ? 'may be null now' : 'is required now'}`]
    return []
  })
  return [...statements, ...columns]
}

async function schemaAt(url: string): Promise<Schema> {
  const { pool, close } = openDb(url, { max: 1 })
  const client = await pool.connect()
  try {
    return await readSchema(client)
  } finally {
    client.release()
    await close()
  }
}

const earlier = await schemaAt(before.url)

it('the stored statements are those of the schema of their version', () => {
  expect(texts.length).toBeGreaterThan(300)
  expect([...earlier.results.values()].filter((result) => result.startsWith('error'))).toEqual([])
})

it(`what version ${version} runs on its own schema, it can run on this one`, async () => {
  expect(differences(earlier, await schemaAt(url))).toEqual([])
})

it('finds what the version before could not go on with', async () => {
  const broken = await newDatabase()
  const { pool, close } = openDb(broken.url, { max: 1 })
  await pool.query(`
    alter table areas rename column active to shown;
    alter table coupons alter column code type varchar(50);
    alter table orders add column branch int not null;
    alter table policy_pages alter column title_en drop not null;
    drop function amount_due cascade;`)
  await close()
  const found = differences(earlier, await schemaAt(broken.url))
  await broken.drop()
  const first = (words: string) => found.find((line) => line.startsWith(words))
  expect(first('error: column "active" does not exist instead of')).toMatch(/ in: .*\bareas\b/s)
  expect(first('error: function amount_due(orders) does not exist')).toMatch(/ in: /)
  expect(found.filter((line) => !line.includes(' in: ')).toSorted()).toEqual([
    'coupons.code was coupon_code and is character varying(50)',
    'orders.branch is new and required',
    'policy_pages.title_en may be null now',
  ])
})
