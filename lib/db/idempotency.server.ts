import { sql } from 'kysely'
import { type Db, inTransaction } from './db.server.ts'
import { sha256 } from '../ids/ids.server.ts'
import { REQUEST_KEY } from '../http/idempotency-key.ts'

/** What is asked of a request; Fastify's has it all. */
interface Sent {
  headers: Record<string, string | string[] | undefined>
  url: string
  body: unknown
  staff: { id: number }
}

/** A key that is none (422), or that was sent with something else before (409). */
class IdempotencyKeyError extends Error {
  readonly statusCode: number
  constructor(statusCode: 409 | 422) {
    super('unfit idempotency key')
    this.statusCode = statusCode
  }
}

/**
 * Runs a command that makes a row, once for each `Idempotency-Key` of a person: the same words under the same key are answered with
 * what came of them the first time. The key is kept in the command's transaction, so that there is never one without the other; what
 * was refused keeps none. Without a key the command simply runs.
 */
export async function once<Result extends { ok: boolean }>(db: Db, sent: Sent, make: (db: Db) => Promise<Result>): Promise<Result> {
  const given = sent.headers['idempotency-key']
  if (given === undefined) return make(db)
  if (typeof given !== 'string' || !REQUEST_KEY.test(given)) throw new IdempotencyKeyError(422)
  const key = `${sent.staff.id}:${given}`
  const hash = sha256(`${sent.url} ${JSON.stringify(sent.body)}`)
  return inTransaction(db, async (tx) => {
    // A second press at the same moment waits here for the first one's end.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`once:${key}`}, 0))`.execute(tx)
    const { rows } = await sql<{ same: boolean; result: Result }>`
      select request_hash = ${hash} as same, result from idempotency_keys where key = ${key}`.execute(tx)
    if (rows[0] && !rows[0].same) throw new IdempotencyKeyError(409)
    if (rows[0]) return rows[0].result
    const result = await make(tx)
    if (result.ok)
      await sql`insert into idempotency_keys (key, request_hash, result) values (${key}, ${hash}, ${JSON.stringify(result)}::jsonb)`.execute(
        tx,
      )
    return result
  })
}
