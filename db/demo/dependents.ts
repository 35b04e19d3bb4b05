import { sql, type RawBuilder } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

interface Reference {
  child: string
  child_column: string
  /** The column that is referred to. */
  target: string
  cascades: boolean
}

/** Foreign keys that refer to a table, read from the catalog, so that new tables need no change here. */
async function referencesTo(tx: Db, table: string): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select c.conrelid::regclass::text as child, a.attname as child_column, t.attname as target, c.confdeltype = 'c' as cascades
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    join pg_attribute t on t.attrelid = c.confrelid and t.attnum = c.confkey[1]
    where c.contype = 'f' and c.confrelid = ${table}::regclass and cardinality(c.conkey) = 1
    order by 1, 2`.execute(tx)
  return rows
}

/** Deletes the matching rows of a table, after all rows that refer to them. Returns the number of deleted rows of the table. */
export async function deleteWithDependents(tx: Db, table: string, where: RawBuilder<unknown>): Promise<number> {
  for (const { child, child_column: column, target } of await referencesTo(tx, table)) {
    if (child === table) continue
    await deleteWithDependents(tx, child, sql`${sql.ref(column)} in (select ${sql.ref(target)} from ${sql.table(table)} where ${where})`)
  }
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${where}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** A condition: whether a foreign key without cascade refers to the row (alias `row`) of the table. */
export async function isReferenced(tx: Db, table: string): Promise<RawBuilder<unknown>> {
  const restricting = (await referencesTo(tx, table)).filter(({ cascades }) => !cascades)
  if (restricting.length === 0) return sql`false`
  const conditions = restricting.map(
    ({ child, child_column: column, target }) =>
      sql`exists (select 1 from ${sql.table(child)} r where r.${sql.ref(column)} = "row".${sql.ref(target)})`,
  )
  return sql`(${sql.join(conditions, sql` or `)})`
}
