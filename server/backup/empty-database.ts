import { MIGRATIONS_TABLE, type PoolClient, quoted } from '#features/backup/tables.server.ts'

/** The schema's objects that no extension owns. */
const OWN = (catalog: string) =>
  `not exists (select 1 from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = o.oid and d.deptype = 'e')`

/** Whether the database has no table but the list of migrations, which a start that failed leaves behind. */
export async function isEmpty(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_class o where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm')
       and relname <> '${MIGRATIONS_TABLE}' and ${OWN('pg_class')} limit 1`,
  )
  return rows.length === 0
}

/** Drops tables, sequences, functions and types of the schema, in the caller's transaction. Extensions stay. */
export async function dropEverything(client: PoolClient): Promise<void> {
  const drop = async (text: string) => {
    const { rows } = await client.query<{ statement: string }>(text)
    for (const { statement } of rows) await client.query(statement)
  }
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class o where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and ${OWN('pg_class')}`,
  )
  if (tables.length > 0) await client.query(`drop table ${tables.map(({ name }) => quoted(name)).join(', ')} cascade`)
  await drop(`select format('drop %s if exists %s cascade', case prokind when 'p' then 'procedure' when 'a' then 'aggregate' else 'function' end,
    o.oid::regprocedure) as statement from pg_proc o where pronamespace = current_schema()::regnamespace and ${OWN('pg_proc')}`)
  await drop(`select format('drop %s if exists %s cascade', case typtype when 'd' then 'domain' else 'type' end, o.oid::regtype) as statement
    from pg_type o where typnamespace = current_schema()::regnamespace and typtype in ('d', 'e', 'c', 'r') and typrelid = 0 and ${OWN('pg_type')}`)
  await drop(`select format('drop sequence if exists %s cascade', o.oid::regclass) as statement
    from pg_class o where relnamespace = current_schema()::regnamespace and relkind = 'S' and ${OWN('pg_class')}`)
}
