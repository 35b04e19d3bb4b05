import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { CountedAttempt } from './attempts.server.ts'

/** A counter that has reached its limit, and the seconds until its window ends. */
export interface FullCounter {
  key: string
  retryAfter: number
}

/**
 * Counts one attempt under every key of a chain, in one statement. A counter is incremented only if all before it are below their limits.
 * If one is full, the attempt is removed from those before it, so that it uses up no other person's attempts. Null when all have room.
 */
export async function countChain(db: Db, chain: readonly CountedAttempt[], now: Date): Promise<FullCounter | null> {
  if (chain.length === 0) return null
  const counters = chain.map((attempt) => ({ ...attempt, ...windowOf(attempt, now) }))
  const { rows } = await sql<{ done: (number | null)[] }>`with ${sql.join(counters.map(counterOf))}
    select array[${sql.join(counters.map((_, index) => sql`(select count from ${nameOf(index)})`))}] as done`.execute(db)
  const full = rows[0]?.done.indexOf(null) ?? -1
  if (full < 0) return null
  if (full > 0) await uncountChain(db, chain.slice(0, full), now)
  const { key, endsAt } = counters[full]!
  return { key, retryAfter: Math.ceil((endsAt.getTime() - now.getTime()) / 1000) }
}

/** Does the work of a counted attempt. When it throws, the attempt is removed from the counters. */
export async function whileCounted<Result>(
  db: Db,
  chain: readonly CountedAttempt[],
  now: Date,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await uncountChain(db, chain, now)
    throw error
  }
}

/** Removes one counted attempt under every key: it was not made, or it succeeded. */
export async function uncountChain(db: Db, chain: readonly CountedAttempt[], now: Date): Promise<void> {
  if (chain.length === 0) return
  const counters = chain.map((attempt) => windowOf(attempt, now))
  // Rows are locked in the order of the chain, as when counting, so that two requests cannot deadlock.
  await sql`with locked as (
      select a.key, a.window_start from attempt_counts a
        join unnest(${counters.map(({ counterKey }) => counterKey)}::text[], ${counters.map(({ startsAt }) => startsAt)}::timestamptz[])
          with ordinality as t (key, window_start, position) using (key, window_start)
      order by t.position for no key update of a)
    update attempt_counts a set count = a.count - 1 from locked
    where a.key = locked.key and a.window_start = locked.window_start and a.count > 0`.execute(db)
}

interface Counter extends CountedAttempt {
  counterKey: string
  startsAt: Date
}

const nameOf = (index: number) => sql.ref(`c${index}`)

/** The part of the statement for one counter: it returns a row if those before it did and it is below its limit. */
function counterOf({ counterKey, startsAt, limit }: Counter, index: number): RawBuilder<unknown> {
  const row = sql`select ${counterKey}::text, ${startsAt}::timestamptz, 1`
  return sql`${nameOf(index)} as (
    insert into attempt_counts as a (key, window_start, count) ${index === 0 ? row : sql`${row} from ${nameOf(index - 1)}`}
    on conflict (key, window_start) do update set count = a.count + 1 where a.count < ${limit.max} returning a.count)`
}

/** The stored key contains the length of the window, because windows of different lengths may begin at the same time. */
function windowOf({ key, limit: { windowSeconds } }: CountedAttempt, now: Date) {
  const windowMs = windowSeconds * 1000
  const start = Math.floor(now.getTime() / windowMs) * windowMs
  return { counterKey: `${key.slice(0, 190)} ${windowSeconds}`, startsAt: new Date(start), endsAt: new Date(start + windowMs) }
}
