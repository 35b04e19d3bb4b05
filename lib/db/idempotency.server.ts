import { sql } from 'kysely'
import { type Db, inTransaction } from './db.server.ts'
import { sha256 } from '../ids/ids.server.ts'
import { REQUEST_KEY } from '../http/idempotency-key.ts'
import { earlierKeys } from '../http/idempotency-key.server.ts'

/** The parts of a Fastify request that are used. */
export interface KeyedRequest {
  headers: Record<string, string | string[] | undefined>
  url: string
  body: unknown
  staff: { id: number }
}

/** A malformed key (422), or one that was used for another request (409). */
class IdempotencyKeyError extends Error {
  readonly statusCode: number
  constructor(statusCode: 409 | 422) {
    super('invalid idempotency key')
    this.statusCode = statusCode
  }
}

/**
 * Runs a command once for each `Idempotency-Key` of a user. A repeated request gets the stored result; another body under a used key is
 * a 409. Key and result are committed with the command; a failed command stores none. Without a key the command just runs. `earlier` is the result
 * of the latest attempt with other inputs, whose answer was lost.
 */
export async function withIdempotencyKey<Result extends { ok: boolean }>(
  db: Db,
  request: KeyedRequest,
  command: (db: Db, earlier: Stored<Result> | null) => Promise<Result>,
): Promise<Result> {
  const given = request.headers['idempotency-key']
  if (given === undefined) return command(db, null)
  if (typeof given !== 'string' || !REQUEST_KEY.test(given)) throw new IdempotencyKeyError(422)
  const key = keyOf(request.staff, given)
  const earlier = earlierKeys(request).map((one) => keyOf(request.staff, one))
  const hash = sha256(`${request.url} ${JSON.stringify(request.body)}`)
  return inTransaction(db, async (tx) => {
    // A concurrent request with the same key waits for the first one.
    await lockKeys(tx, [key, ...earlier])
    const { rows } = await sql<{ same: boolean; result: unknown }>`
      select request_hash = ${hash} as same, result from idempotency_keys where key = ${key}`.execute(tx)
    if (rows[0] && !rows[0].same) throw new IdempotencyKeyError(409)
    if (rows[0]) return rows[0].result as Result
    const result = await command(tx, await findResult<Stored<Result>>(tx, earlier))
    if (result.ok) {
      await sql`insert into idempotency_keys (key, request_hash, result) values (${key}, ${hash}, ${JSON.stringify(result)}::jsonb)`.execute(
        tx,
      )
      await closeKeys(tx, earlier, result)
    }
    return result
  })
}

/** Only the results of successful commands are stored. */
type Stored<Result> = Extract<Result, { ok: true }>

/** The key under which the result of a request is stored: two users may send the same. */
export const keyOf = ({ id }: { id: number }, sent: string): string => `${id}:${sent}`

/** Locks the keys until the transaction ends: attempts with them that are still running are waited for, later ones wait. */
export async function lockKeys(tx: Db, keys: readonly string[]): Promise<void> {
  for (const key of keys.toSorted()) await sql`select pg_advisory_xact_lock(hashtextextended(${`once:${key}`}, 0))`.execute(tx)
}

/**
 * Stores the result of a request under the keys of its earlier attempts with other inputs, which must be locked: an attempt that arrives after
 * it creates nothing. No body has the empty hash.
 */
export async function closeKeys(tx: Db, keys: readonly string[], result: object): Promise<void> {
  if (keys.length === 0) return
  await sql`insert into idempotency_keys (key, request_hash, result) select key, '', ${JSON.stringify(result)}::jsonb
    from unnest(${keys}::text[]) key on conflict (key) do nothing`.execute(tx)
}

/** The latest result that is stored under one of the keys, or null. */
export async function findResult<Result extends object>(tx: Db, keys: readonly string[]): Promise<Result | null> {
  if (keys.length === 0) return null
  const { rows } = await sql<{ result: unknown }>`select result from idempotency_keys where key = any(${keys}::text[])
    order by sent_at desc limit 1`.execute(tx)
  return (rows[0]?.result ?? null) as Result | null
}
