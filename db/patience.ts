import { sql } from 'kysely'
import { inTransaction, type Db } from '#lib/db.server.ts'

/** One transaction that may take as long as it needs: a shopper's statement is cut off after seconds, filling a shop is not. */
export function inPatientTransaction<T>(db: Db, fn: (tx: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`select set_config(name, '0', true)
      from unnest(array['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']) name`.execute(tx)
    return fn(tx)
  })
}
