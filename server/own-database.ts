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

/** Throws a `MigrationError` for a database with tables of another program: a mistyped name must not mix two of them. Extensions may have some. */
export async function rejectForeignTables(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows: own } = await client.query<{ columns: number }>(`select count(*)::int as columns from pg_attribute
    where attrelid = to_regclass('schema_migrations') and attname in ('name', 'checksum', 'applied_at') and not attisdropped`)
  if (own[0]!.columns === 3) return
  const { rows } = await client.query<{ name: string }>(FOREIGN)
  if (rows.length > 0)
    throw new MigrationError(`The database holds tables of another program (such as ${rows[0]!.name}): name an empty one in DATABASE_URL.`)
}
