import { sql } from 'kysely'
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

/**
 * Counts one attempt under each key, across all processes and in one statement. Returns 0 when all are below their limits, else the seconds
 * until they are. The keys must differ. Their rows are locked in the order of the keys, so that two calls cannot deadlock.
 */
export async function countAttempts(db: Db, counted: readonly CountedAttempt[], now: Date): Promise<number> {
  const { rows } = await sql<{ key: string; count: number }>`/*prepared count_attempts*/
    insert into attempt_counts (key, window_start, count)
    select key, start, 1 from unnest(${counted.map(counterKey)}::text[], ${counted.map(({ limit }) => windowStart(limit, now))}::timestamptz[]) as c(key, start)
    order by key
    on conflict (key, window_start) do update set count = attempt_counts.count + 1 returning key, count`.execute(db)
  const counts = new Map(rows.map(({ key, count }) => [key, count]))
  const waits = counted.map((one) => ((counts.get(counterKey(one)) ?? 0) <= one.limit.max ? 0 : secondsLeft(one.limit, now)))
  return Math.max(0, ...waits)
}

/** `countAttempts` of one key. */
export function countAttempt(db: Db, key: string, limit: AttemptLimit, now: Date): Promise<number> {
  return countAttempts(db, [{ key, limit }], now)
}

/** Removes one counted attempt under each key, in one statement. */
export async function uncountAttempts(db: Db, counted: readonly CountedAttempt[], now: Date): Promise<void> {
  await sql`
    with mine as (
      select a.key, a.window_start
      from unnest(${counted.map(counterKey)}::text[], ${counted.map(({ limit }) => windowStart(limit, now))}::timestamptz[]) as c(key, start)
      join attempt_counts a on a.key = c.key and a.window_start = c.start order by a.key for update of a)
    update attempt_counts a set count = count - 1 from mine
    where a.key = mine.key and a.window_start = mine.window_start and a.count > 0`.execute(db)
}

/** Removes one counted attempt that was not made. */
export function uncountAttempt(db: Db, key: string, limit: AttemptLimit, now: Date): Promise<void> {
  return uncountAttempts(db, [{ key, limit }], now)
}

const counterKey = ({ key }: Pick<CountedAttempt, 'key'>) => key.slice(0, 200)

function secondsLeft(limit: AttemptLimit, now: Date): number {
  return Math.ceil((windowStart(limit, now).getTime() - now.getTime()) / 1000) + limit.windowSeconds
}

function windowStart({ windowSeconds }: AttemptLimit, now: Date): Date {
  const windowMs = windowSeconds * 1000
  return new Date(Math.floor(now.getTime() / windowMs) * windowMs)
}

/** Deletes the counted attempts of a key, after a success. */
export async function clearAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('attempt_counts').where('key', '=', counterKey({ key })).execute()
}
