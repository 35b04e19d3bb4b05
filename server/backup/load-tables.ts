// Loads COPY data as the plain owner of the database: session_replication_role needs a superuser, so foreign keys and indexes are
// dropped and created again. Creating them again checks every reference.
import { from as copyFrom } from 'pg-copy-streams'
import { DATA_NAME, type Manifest } from '#features/backup/archive/format.ts'
import { MIGRATIONS_TABLE, type PoolClient, quoted } from '#features/backup/tables.server.ts'

interface Part {
  table: string
  name: string
  definition: string
}

/** The shop's own tables, apart from the list of migrations. */
const OWN_TABLES = `select c.oid, c.relname from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> '${MIGRATIONS_TABLE}'`

/** Empties all tables without triggers, runs `load`, and puts indexes, foreign keys and triggers back. In the caller's transaction. */
export async function withBareTables(client: PoolClient, load: () => Promise<void>): Promise<void> {
  const list = async <T extends object>(text: string) => (await client.query<T>(text)).rows
  const run = async (statements: string[]) => {
    for (const statement of statements) await client.query(statement)
  }
  const tables = (await list<{ relname: string }>(OWN_TABLES)).map(({ relname }) => quoted(relname))
  const keys = await list<Part>(`select t.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join (${OWN_TABLES}) t on t.oid = k.conrelid where k.contype = 'f' order by k.conname`)
  const indexes =
    await list<Part>(`select t.relname as table, i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join (${OWN_TABLES}) t on t.oid = i.indrelid
    where not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid) order by 2`)
  await run(keys.map(({ table, name }) => `alter table ${quoted(table)} drop constraint ${quoted(name)}`))
  await run(indexes.map(({ name }) => `drop index ${name}`))
  await run(tables.map((table) => `alter table ${table} disable trigger user`))
  await client.query(`truncate ${tables.join(', ')}`)
  await load()
  await client.query("set local maintenance_work_mem = '256MB'")
  await run(indexes.map(({ definition }) => definition))
  await run(keys.map(({ table, name, definition }) => `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`))
  await run(tables.map((table) => `alter table ${table} enable trigger user`))
}

/** Takes the entries of an archive in their order and loads those of tables, each table by one COPY. */
export class TableLoader {
  readonly #client: PoolClient
  readonly #columns: Map<string, string[]>
  #table: string | null = null
  #copy: ReturnType<typeof copyFrom> | null = null
  #done: Promise<void> = Promise.resolve()

  constructor(client: PoolClient, { tables }: Manifest) {
    this.#client = client
    this.#columns = new Map(tables.map(({ name, columns }) => [name, columns]))
  }

  async take(name: string, body: AsyncIterable<Buffer>): Promise<void> {
    const table = DATA_NAME.exec(name)?.[1]
    if (table === undefined) return
    if (table !== this.#table) await this.#begin(table)
    for await (const chunk of body) await this.#write(chunk)
  }

  async finish(): Promise<void> {
    this.#copy?.end()
    await this.#done
    this.#copy = null
    this.#table = null
  }

  async #begin(table: string): Promise<void> {
    await this.finish()
    const columns = this.#columns.get(table) ?? []
    // Rows of a table that this transaction created or emptied can be written as already visible to all, which spares a later VACUUM.
    this.#copy = this.#client.query(copyFrom(`copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin with (freeze)`))
    const copy = this.#copy
    this.#done = new Promise((resolve, reject) => copy.on('finish', resolve).on('error', reject))
    this.#done.catch(() => {})
    this.#table = table
  }

  async #write(chunk: Buffer): Promise<void> {
    const copy = this.#copy!
    if (copy.write(chunk)) return
    await Promise.race([new Promise((resolve) => copy.once('drain', resolve)), this.#done])
  }
}
