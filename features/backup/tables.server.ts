import type { PoolClient } from 'pg'
import type { Totals } from './archive/format.ts'

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

/** The shop's tables, by name, as this connection sees them. */
export async function listTables(client: PoolClient): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
       coalesce(array_agg(a.attname::text order by a.attnum) filter (
         where a.attname ~ '_(poisha|milli|grams)$' and coalesce(nullif(t.typbasetype, 0), t.oid) in ('int4'::regtype, 'int8'::regtype)), '{}') as summed
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     join pg_type t on t.oid = a.atttypid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> $1
     group by c.relname order by c.relname`,
    [MIGRATIONS_TABLE],
  )
  return rows
}

/** Rows and sums of the tables. A sum of no rows is 0. */
export async function readTotals(client: PoolClient, tables: readonly Table[]): Promise<Totals> {
  const totals: Totals = {}
  for (const { name, summed } of tables) {
    const sums = summed.map((column) => `coalesce(sum(${quoted(column)}), 0)::text as ${quoted(column)}`)
    const { rows } = await client.query<Record<string, string>>(
      `select ${['count(*)::text as "#"', ...sums].join(', ')} from ${quoted(name)}`,
    )
    const { '#': count, ...rest } = rows[0]!
    totals[name] = { rows: Number(count), sums: rest }
  }
  return totals
}

/** The next value of every sequence. */
export async function readSequences(client: PoolClient): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; next: string }>(
    `select s.sequencename::text as name, case when s.last_value is null then s.start_value else s.last_value + s.increment_by end::text as next
     from pg_sequences s where s.schemaname = 'public' order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, next }) => [name, next]))
}
