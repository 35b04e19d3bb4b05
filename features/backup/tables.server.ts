import type { PoolClient } from 'pg'
import type { Totals } from './archive/format.ts'
import { pauseSince } from './pace.server.ts'

export type { PoolClient } from 'pg'

interface Table {
  name: string
  /** All columns except generated ones, which COPY does not write. */
  columns: string[]
  /** Columns of money, weights and quantities, whose sums are compared after a restore. */
  summed: string[]
}

/** Written by the migrations, so it is no part of the data. */
export const MIGRATIONS_TABLE = 'schema_migrations'

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * The shop's tables, by name, in the schema where the migrations create them: the first of the `search_path`. Throws when there is none, so
 * that no empty backup counts as complete.
 */
export async function listTables(client: PoolClient): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
       coalesce(array_agg(a.attname::text order by a.attnum) filter (
         where a.attname ~ '_(poisha|milli|grams)$' and coalesce(nullif(t.typbasetype, 0), t.oid) in ('int4'::regtype, 'int8'::regtype)), '{}') as summed
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     join pg_type t on t.oid = a.atttypid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> $1
     group by c.relname order by c.relname`,
    [MIGRATIONS_TABLE],
  )
  if (rows.length === 0) throw new Error('The first schema of the search_path has no tables of the shop.')
  return rows
}

/**
 * Rows and sums of the tables. A sum of no rows is 0. With `blocksAtOnce` a table is read in steps of as many blocks, with pauses between
 * them.
 */
export async function readTotals(client: PoolClient, tables: readonly Table[], blocksAtOnce: number | null = null): Promise<Totals> {
  const totals: Totals = {}
  for (const table of tables) {
    const columns = table.summed.map((column) => `coalesce(sum(${quoted(column)}), 0)::text as ${quoted(column)}`)
    const text = `select ${['count(*)::text as "#"', ...columns].join(', ')} from ${quoted(table.name)}`
    const steps: Row[] = []
    if (blocksAtOnce === null) steps.push(await readRow(client, text))
    else await inSteps(client, table.name, blocksAtOnce, async (range) => void steps.push(await readRow(client, `${text} where ${range}`)))
    const sumOf = (column: string) => steps.reduce((sum, step) => sum + BigInt(step[column] ?? 0), 0n)
    totals[table.name] = {
      rows: Number(sumOf('#')),
      sums: Object.fromEntries(table.summed.map((column) => [column, String(sumOf(column))])),
    }
  }
  return totals
}

type Row = Record<string, string>

async function readRow(client: PoolClient, text: string, values: unknown[] = []): Promise<Row> {
  return (await client.query<Row>(text, values)).rows[0]!
}

/**
 * Calls `read` with the condition for one range of blocks of a table after another, with pauses between them. In the caller's snapshot the
 * ranges add up to one scan: its rows lie in the blocks of now.
 */
export async function inSteps(
  client: PoolClient,
  table: string,
  blocksAtOnce: number,
  read: (range: string) => Promise<void>,
): Promise<void> {
  const { blocks } = await readRow(client, `select (pg_relation_size($1::regclass) / current_setting('block_size')::int)::text as blocks`, [
    quoted(table),
  ])
  for (let from = 0; from < Number(blocks); from += blocksAtOnce) {
    const startedAt = performance.now()
    await read(`ctid >= '(${from},0)' and ctid < '(${from + blocksAtOnce},0)'`)
    await pauseSince(startedAt)
  }
}

/** The next value of every sequence. */
export async function readSequences(client: PoolClient): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; next: string }>(
    `select s.sequencename::text as name, case when s.last_value is null then s.start_value else s.last_value + s.increment_by end::text as next
     from pg_sequences s where s.schemaname = current_schema() order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, next }) => [name, next]))
}
