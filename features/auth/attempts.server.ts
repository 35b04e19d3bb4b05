import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** A limit of attempts: `max` in each window of `windowSeconds`. */
export interface AttemptLimit {
  max: number
  windowSeconds: number
}

/** What is counted under a key. */
export interface CountedAttempt {
  key: string
  limit: AttemptLimit
}

/** A counter that has reached its limit, and the seconds until its window ends. */
export interface FullCounter {
  key: string
  retryAfter: number
}

/**
 * Counts one attempt under each key, across all processes and in one statement. Returns 0 when all are below their limits, else the seconds
 * until they are: the attempt is then removed under every key, because it uses up no attempt of other persons. The counters must differ. Their
 * rows are locked in the order of the keys, so that two calls cannot deadlock.
 */
export async function countAttempts(db: Db, counted: readonly CountedAttempt[], now: Date): Promise<number> {
  const counters = sortedCounters(counted, now)
  const { rows } = await sql<{ key: string; count: number }>`/*prepared count_attempts*/
    insert into attempt_counts (key, window_start, count)
    select key, window_start, 1 from ${tableOf(counters)} order by position
    on conflict (key, window_start) do update set count = attempt_counts.count + 1 returning key, count`.execute(db)
  const counts = new Map(rows.map(({ key, count }) => [key, count]))
  const full = counters.filter(({ storedKey, limit }) => (counts.get(storedKey) ?? 0) > limit.max)
  if (full.length === 0) return 0
  await uncount(db, counters)
  return Math.max(...full.map((counter) => secondsLeft(counter, now)))
}

/** Removes one attempt that `countAttempts` counted under each key. */
export function uncountAttempts(db: Db, counted: readonly CountedAttempt[], now: Date): Promise<void> {
  return uncount(db, sortedCounters(counted, now))
}

/**
 * Counts one attempt under every key of a chain, in one statement. A counter is incremented only if all before it are below their limits.
 * If one is full, the attempt is removed from those before it, so that it uses up no other person's attempts. Null when all have room.
 * Rows are locked in the order of the chain.
 */
export async function countChain(db: Db, chain: readonly CountedAttempt[], now: Date): Promise<FullCounter | null> {
  if (chain.length === 0) return null
  const counters = countersOf(chain, now)
  const { rows } = await sql<{ done: (number | null)[] }>`with ${sql.join(counters.map(stepOf))}
    select array[${sql.join(counters.map((_, index) => sql`(select count from ${nameOf(index)})`))}] as done`.execute(db)
  const full = rows[0]?.done.indexOf(null) ?? -1
  if (full < 0) return null
  if (full > 0) await uncountChain(db, chain.slice(0, full), now)
  const counter = counters[full]!
  return { key: counter.key, retryAfter: secondsLeft(counter, now) }
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

/** Removes one attempt that `countChain` counted under every key: it was not made, or it succeeded. */
export async function uncountChain(db: Db, chain: readonly CountedAttempt[], now: Date): Promise<void> {
  if (chain.length > 0) await uncount(db, countersOf(chain, now))
}

interface Counter extends CountedAttempt {
  storedKey: string
  startsAt: Date
}

/** The stored key contains the length of the window, because windows of different lengths may begin at the same time. */
function countersOf(counted: readonly CountedAttempt[], now: Date): Counter[] {
  return counted.map(({ key, limit }) => {
    const windowMs = limit.windowSeconds * 1000
    const startsAt = new Date(Math.floor(now.getTime() / windowMs) * windowMs)
    return { key, limit, storedKey: `${key.slice(0, 190)} ${limit.windowSeconds}`, startsAt }
  })
}

function sortedCounters(counted: readonly CountedAttempt[], now: Date): Counter[] {
  return countersOf(counted, now).toSorted((a, b) => (a.storedKey < b.storedKey ? -1 : 1))
}

function secondsLeft({ startsAt, limit }: Counter, now: Date): number {
  return Math.ceil((startsAt.getTime() - now.getTime()) / 1000) + limit.windowSeconds
}

/** Counters as a table with their `position`. */
function tableOf(counters: readonly Counter[]): RawBuilder<unknown> {
  return sql`unnest(${counters.map(({ storedKey }) => storedKey)}::text[], ${counters.map(({ startsAt }) => startsAt)}::timestamptz[])
    with ordinality as t (key, window_start, position)`
}

/** Removes one count of each counter. Rows are locked in their order, which is the order of counting: two calls cannot deadlock. */
async function uncount(db: Db, counters: readonly Counter[]): Promise<void> {
  await sql`with locked as (
      select a.key, a.window_start from attempt_counts a join ${tableOf(counters)} using (key, window_start)
      order by t.position for no key update of a)
    update attempt_counts a set count = a.count - 1 from locked
    where a.key = locked.key and a.window_start = locked.window_start and a.count > 0`.execute(db)
}

const nameOf = (index: number) => sql.ref(`c${index}`)

/** The part of the statement for one counter of a chain: it returns a row if those before it did and it is below its limit. */
function stepOf({ storedKey, startsAt, limit }: Counter, index: number): RawBuilder<unknown> {
  const row = sql`select ${storedKey}::text, ${startsAt}::timestamptz, 1`
  return sql`${nameOf(index)} as (
    insert into attempt_counts as a (key, window_start, count) ${index === 0 ? row : sql`${row} from ${nameOf(index - 1)}`}
    on conflict (key, window_start) do update set count = a.count + 1 where a.count < ${limit.max} returning a.count)`
}
