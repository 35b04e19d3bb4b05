import type pg from 'pg'
import { MigrationError } from './apply-migration.ts'

const FOREIGN = `select relname as name from pg_class o
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = o.oid and d.deptype = 'e')
  order by relname limit 1`

/** Throws a `MigrationError` for a database with another encoding than UTF-8, in which Bengali text has other lengths or cannot be stored. */
export async function assertUtf8(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(`select current_setting('server_encoding') as encoding`)
  const { encoding } = rows[0]!
  if (encoding !== 'UTF8')
    throw new MigrationError(`The database has the encoding ${encoding}: create it with --encoding UTF8 --template template0.`)
}

/**
 * Throws a `MigrationError` for a database with tables of another program: a mistyped name must not mix two of them. Extensions may have some.
 * The same for a shop in another schema than the one where migrations create tables: a second, empty shop would hide it.
 */
export async function rejectForeignTables(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows: own } = await client.query<{ place: string; first: string }>(`select n.nspname as place, current_schema() as first
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = to_regclass('schema_migrations') and (select count(*) from pg_attribute
      where attrelid = c.oid and attname in ('name', 'checksum', 'applied_at') and not attisdropped) = 3`)
  const [shop] = own
  if (shop && shop.place !== shop.first)
    throw new MigrationError(`The shop is in the schema ${shop.place}, but the search_path of its role begins with ${shop.first}.`)
  if (shop) return
  const { rows } = await client.query<{ name: string }>(FOREIGN)
  if (rows.length > 0)
    throw new MigrationError(`The database holds tables of another program (such as ${rows[0]!.name}): name an empty one in DATABASE_URL.`)
}

/** Throws a `MigrationError` when an administrator has created the extension in a schema where the role does not look for it. */
export async function assertVisibleTrigrams(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ place: string }>(`select n.nspname as place
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm' and n.nspname <> all(current_schemas(true))`)
  if (rows.length > 0)
    throw new MigrationError(`The extension pg_trgm is in the schema ${rows[0]!.place}: add that to the search_path of the role.`)
}
