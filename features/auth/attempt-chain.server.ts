import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { AttemptLimit } from './attempts.server.ts'

/** One counter of a chain: how often its key may be tried. */
export interface Attempt {
  key: string
  limit: AttemptLimit
}

/** The counter that is full, and the seconds until its window ends. */
export interface StockUnavailableError {
  key: string
  retryAfter: number
}

/**
 * Counts one try under every key of a chain, in one statement. Each counter is touched only when those before it have room, a full one does not
 * grow, and a try that is refused is taken back from those before: it uses up nobody else's tries. Null when the try may go on.
 */
export async function countChain(db: Db, chain: readonly Attempt[], now: Date): Promise<StockUnavailableError | null> {
  if (chain.length === 0) return null
  const counted = chain.map((attempt) => ({ ...attempt, ...windowOf(attempt, now) }))
  const { rows } = await sql<{ done: (number | null)[] }>`with ${sql.join(counted.map(counterOf))}
    select array[${sql.join(counted.map((_, index) => sql`(select count from ${nameOf(index)})`))}] as done`.execute(db)
  const full = rows[0]?.done.indexOf(null) ?? -1
  if (full < 0) return null
  if (full > 0) await uncountChain(db, chain.slice(0, full), now)
  const { key, endsAt } = counted[full]!
  return { key, retryAfter: Math.ceil((endsAt.getTime() - now.getTime()) / 1000) }
}

/** Does what a counted try is for; when it throws, nothing was tried, and the try is taken back. */
export async function whileCounted<Result>(db: Db, chain: readonly Attempt[], now: Date, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await uncountChain(db, chain, now)
    throw error
  }
}

/** Takes one counted try back under every key: it came to nothing, or it was right. */
export async function uncountChain(db: Db, chain: readonly Attempt[], now: Date): Promise<void> {
  if (chain.length === 0) return
  const counted = chain.map((attempt) => windowOf(attempt, now))
  // Locked in the order of the chain, as they are counted: two requests never wait for each other.
  await sql`with locked as (
      select a.key, a.window_start from attempt_counts a
        join unnest(${counted.map(({ scopedIdempotencyKey }) => scopedIdempotencyKey)}::text[], ${counted.map(({ startsAt }) => startsAt)}::timestamptz[])
          with ordinality as t (key, window_start, place) using (key, window_start)
      order by t.place for no key update of a)
    update attempt_counts a set count = a.count - 1 from locked
    where a.key = locked.key and a.window_start = locked.window_start and a.count > 0`.execute(db)
}

interface Counted extends Attempt {
  scopedIdempotencyKey: string
  startsAt: Date
}

const nameOf = (index: number) => sql.ref(`c${index}`)

/** The counter as a part of the statement: it answers a row when those before it did and it had room. */
function counterOf({ scopedIdempotencyKey, startsAt, limit }: Counted, index: number): RawBuilder<unknown> {
  const row = sql`select ${scopedIdempotencyKey}::text, ${startsAt}::timestamptz, 1`
  return sql`${nameOf(index)} as (
    insert into attempt_counts as a (key, window_start, count) ${index === 0 ? row : sql`${row} from ${nameOf(index - 1)}`}
    on conflict (key, window_start) do update set count = a.count + 1 where a.count < ${limit.most} returning a.count)`
}

/** The length of the window is part of the stored key: windows of different lengths may begin at the same moment. */
function windowOf({ key, limit: { windowSeconds } }: Attempt, now: Date) {
  const windowMs = windowSeconds * 1000
  const start = Math.floor(now.getTime() / windowMs) * windowMs
  return { scopedIdempotencyKey: `${key.slice(0, 190)} ${windowSeconds}`, startsAt: new Date(start), endsAt: new Date(start + windowMs) }
}
