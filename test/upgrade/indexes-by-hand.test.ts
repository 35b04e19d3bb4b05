import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import { migrate } from '#server/migrate.ts'
import { newDatabase } from '#test/db.ts'
import { fillWithRelease } from './release-0-1-0.ts'

/** The statements that docs/operations.md gives to large shops. */
function documented(): string[] {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const block = /```sql\n(-- by hand[\s\S]*?)```/.exec(text)?.[1] ?? ''
  return block
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .filter((statement) => statement.trim())
}

it('indexes that are built by hand on release 0.1.0 are taken over by the migrations', async () => {
  const database = await newDatabase({ template: 'template1' })
  await fillWithRelease(database.url)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const indexes = async () =>
    (
      await client.query(`select indexrelid::int as id, indexrelid::regclass::text as name from pg_index
        where indexrelid::regclass::text in ('orders_sum', 'users_sorted_name', 'ledger_entries_time') and indisvalid order by 2`)
    ).rows
  expect(await indexes()).toEqual([])
  for (const statement of documented()) await client.query(statement)
  const before = await indexes()
  expect(before.map(({ name }) => name)).toEqual(['ledger_entries_time', 'orders_sum', 'users_sorted_name'])
  await migrate(database.url)
  expect(await indexes()).toEqual(before)
  const { rows } = await client.query<{ text: string }>(
    `select regexp_replace(pg_get_indexdef(indexrelid), '\\s+', ' ', 'g') as text from pg_index where indexrelid = any ($1)`,
    [before.map(({ id }) => id)],
  )
  const schema = readFileSync(path.resolve(import.meta.dirname, '../../db/schema.sql'), 'utf8').replaceAll(/\s+/g, ' ')
  for (const { text } of rows) expect(schema).toContain(`${text};`)
  await client.end()
  await database.drop()
})
