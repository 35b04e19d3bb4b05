import { sql } from 'kysely'
import { inTransaction, type Db } from '#lib/db/db.server.ts'

const TIMEOUTS = "array['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']"

/** One transaction that may take as long as it needs: a shopper's statement is cut off after seconds, filling a shop is not. */
export function withoutTimeouts<T>(db: Db, fn: (tx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`select set_config(name, '0', true) from unnest(${sql.raw(TIMEOUTS)}) name`.execute(tx)
    return fn(tx)
  })
}

/** One connection without timeouts and without a transaction: for commands that PostgreSQL refuses inside one. */
export function onConnectionWithoutTimeouts<T>(db: Db, fn: (connection: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`select set_config(name, '0', false) from unnest(${sql.raw(TIMEOUTS)}) name`.execute(connection)
    try {
      return await fn(connection)
    } finally {
      // The connection goes back to the pool with the timeouts that the pool set at its start.
      await sql`reset lock_timeout; reset statement_timeout; reset idle_in_transaction_session_timeout`.execute(connection)
    }
  })
}
