import { sql } from 'kysely'
import { inTransaction, type Db } from '#lib/db/db.server.ts'

const TIMEOUTS = "array['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']"

/** Runs `fn` in one transaction without timeouts. The pool's timeouts suit a request of seconds, not a bulk load of minutes. */
export function withoutTimeouts<T>(db: Db, fn: (tx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`select set_config(name, '0', true) from unnest(${sql.raw(TIMEOUTS)}) name`.execute(tx)
    return fn(tx)
  })
}

/** Runs `fn` on one connection without timeouts and without a transaction, for commands that PostgreSQL refuses inside one (`vacuum`). */
export function onConnectionWithoutTimeouts<T>(db: Db, fn: (connection: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ name: string; value: string }>`
      select name, current_setting(name) as value from unnest(${sql.raw(TIMEOUTS)}) name`.execute(connection)
    await sql`select set_config(name, '0', false) from unnest(${sql.raw(TIMEOUTS)}) name`.execute(connection)
    try {
      return await fn(connection)
    } finally {
      for (const { name, value } of rows) await sql`select set_config(${name}, ${value}, false)`.execute(connection)
    }
  })
}
