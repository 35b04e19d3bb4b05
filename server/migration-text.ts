import type pg from 'pg'

const FEATURE_NOT_SUPPORTED = '0A000'
const NAME_AND_DEFINITION = 'p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition'
/** Functions of the shop with a parsed body (`return …`) that take rows of a table. */
const ROW_FUNCTIONS = `
  select ${NAME_AND_DEFINITION} from pg_proc p
  where p.prosqlbody is not null and p.pronamespace <> 'pg_catalog'::regnamespace and exists (
    select from pg_depend d join pg_type t on t.oid = d.refobjid and t.typtype = 'c'
    where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.refclassid = 'pg_type'::regclass)
  order by p.oid`
const RETURN = /\nRETURN ([\s\S]+)$/

interface RowFunction {
  name: string
  definition: string
}

/**
 * Runs the statements of a migration in the open transaction. Some releases of PostgreSQL (15.20) refuse to add a column with a default to a
 * table while a function with a parsed body takes its rows. There the migration runs again with these functions as text, which PostgreSQL does
 * not follow. Afterwards each is as before, unless the migration replaced it.
 */
export async function runMigrationText(client: pg.ClientBase, text: string): Promise<void> {
  await client.query('savepoint migration_text')
  try {
    await client.query(text)
  } catch (error) {
    if (!isRefusedForFunction(error)) throw error
    await client.query('rollback to savepoint migration_text')
    await runWithFunctionsAsText(client, text)
  }
  await client.query('release savepoint migration_text')
}

function isRefusedForFunction(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === FEATURE_NOT_SUPPORTED && /because function .* uses (?:it|its row type)$/.test(message ?? '')
}

async function runWithFunctionsAsText(client: pg.ClientBase, text: string): Promise<void> {
  const { rows: functions } = await client.query<RowFunction>(ROW_FUNCTIONS)
  for (const { definition } of functions) await client.query(definition.replace(RETURN, '\nAS $migration$select $1$migration$'))
  const asText = await definitionsOf(client, functions)
  await client.query(text)
  const after = await definitionsOf(client, functions)
  for (const { name, definition } of functions) if (after.has(name) && after.get(name) === asText.get(name)) await client.query(definition)
}

/** The definitions now, by name; without functions that are gone. */
async function definitionsOf(client: pg.ClientBase, functions: readonly RowFunction[]): Promise<Map<string, string>> {
  const { rows } = await client.query<RowFunction>(
    `select ${NAME_AND_DEFINITION} from pg_proc p where p.prokind = 'f' and p.oid::regprocedure::text = any($1)`,
    [functions.map(({ name }) => name)],
  )
  return new Map(rows.map(({ name, definition }) => [name, definition]))
}
