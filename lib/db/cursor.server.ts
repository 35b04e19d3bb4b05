import { type RawBuilder, sql } from 'kysely'
import pLimit from 'p-limit'
import { READER_TIMEOUT_MS } from '../http/reader-timeout.ts'
import { CURSOR_FETCHES_PER_GC, CURSOR_ROWS, minorGc } from '../runtime/memory.server.ts'
import type { Db } from './db.server.ts'

/** Cursors that run concurrently. Each holds a connection of the pool for as long as its reader takes. */
const limit = pLimit(2)

/**
 * Reads a long list in batches of rows, in constant memory, from one snapshot. Holds a connection from the first batch to the last, or
 * until the reader stops.
 */
export async function* readByCursor<Row>(db: Db, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  const { promise: reading, resolve: release } = Promise.withResolvers<void>()
  await new Promise<void>((acquired) => void limit(() => (acquired(), reading)))
  try {
    yield* batchesOf(db, query)
  } finally {
    release()
  }
}

async function* batchesOf<Row>(db: Db, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  const tx = await db.startTransaction().setAccessMode('read only').execute()
  try {
    await sql`select set_config('idle_in_transaction_session_timeout', ${`${READER_TIMEOUT_MS}ms`}, true), set_config('work_mem', '64MB', true)`.execute(
      tx,
    )
    await sql`declare long_list no scroll cursor for ${query}`.execute(tx)
    for (let count = 1; ; count++) {
      const { rows } = await sql<Row>`fetch ${sql.lit(CURSOR_ROWS)} from long_list`.execute(tx)
      if (rows.length > 0) yield rows
      if (rows.length < CURSOR_ROWS) return
      if (count % CURSOR_FETCHES_PER_GC === 0) minorGc()
    }
  } finally {
    await tx.rollback().execute()
  }
}
