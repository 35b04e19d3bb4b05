import { type RawBuilder, sql } from 'kysely'
import { limitConcurrency } from '../async/concurrency-limit.ts'
import { collectYoung } from '../runtime/gc.server.ts'
import type { Db } from './db.server.ts'

const PIECE = 100
/** Left to itself the process makes tens of megabytes of room for what lives for a piece only, and keeps it. */
const PIECES_BETWEEN_COLLECTING = 10
/** Whoever does not take the next piece in this time has gone. */
const TIMEOUT = '60s'
/** Each holds a connection for as long as its reader takes; the others of the pool are the shop's. */
const inTurn = limitConcurrency(2)

/**
 * Reads a long list in pieces, as it was when it began, in constant memory. Holds a connection from the first piece until the last, or
 * until the reader stops.
 */
export async function* readByCursor<Row>(db: Db, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  let leave = () => {}
  await new Promise<void>((enter) => void inTurn(() => (enter(), new Promise<void>((left) => (leave = left)))))
  try {
    yield* piecesOf(db, query)
  } finally {
    leave()
  }
}

async function* piecesOf<Row>(db: Db, query: RawBuilder<Row>): AsyncGenerator<Row[]> {
  const tx = await db.startTransaction().setAccessMode('read only').execute()
  try {
    await sql`select set_config('idle_in_transaction_session_timeout', ${TIMEOUT}, true), set_config('work_mem', '64MB', true)`.execute(tx)
    await sql`declare long_list no scroll cursor for ${query}`.execute(tx)
    for (let count = 1; ; count++) {
      const { rows } = await sql<Row>`fetch ${sql.lit(PIECE)} from long_list`.execute(tx)
      if (rows.length > 0) yield rows
      if (rows.length < PIECE) return
      if (count % PIECES_BETWEEN_COLLECTING === 0) collectYoung()
    }
  } finally {
    await tx.rollback().execute()
  }
}
