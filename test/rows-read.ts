import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'

/** The rows of a table that the command fetches, by a scan or an index, in a transaction of its own. */
export function rowsRead(db: Db, table: string, command: (tx: Db) => Promise<unknown>): Promise<number> {
  return inTransaction(db, async (tx) => {
    const count = async () => {
      const { rows } = await sql<{ read: number }>`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as read
        from pg_stat_xact_user_tables where relname = ${table}`.execute(tx)
      return rows[0]!.read
    }
    const before = await count()
    await command(tx)
    return (await count()) - before
  })
}
