import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** A limit of attempts: `max` in each window of `windowSeconds`. */
export interface AttemptLimit {
  max: number
  windowSeconds: number
}

/**
 * Counts one attempt under a key, across all processes. Returns 0 below the limit, else the seconds until the window ends.
 */
export async function countAttempt(db: Db, key: string, limit: AttemptLimit, now: Date): Promise<number> {
  const start = windowStart(limit, now)
  const { rows } = await sql<{ count: number }>`
    insert into attempt_counts (key, window_start, count) values (${key.slice(0, 200)}, ${start}, 1)
    on conflict (key, window_start) do update set count = attempt_counts.count + 1 returning count`.execute(db)
  return (rows[0]?.count ?? 0) <= limit.max ? 0 : Math.ceil((start.getTime() - now.getTime()) / 1000) + limit.windowSeconds
}

export interface CountedAttempt {
  key: string
  limit: AttemptLimit
}

/**
 * Counts one attempt under each key, in one statement. Returns 0 when all are below their limits, else the seconds until they are.
 * The keys must differ. Their rows are locked in the order of the keys, so that two calls cannot deadlock.
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

const counterKey = ({ key }: CountedAttempt) => key.slice(0, 200)

function secondsLeft(limit: AttemptLimit, now: Date): number {
  return Math.ceil((windowStart(limit, now).getTime() - now.getTime()) / 1000) + limit.windowSeconds
}

function windowStart({ windowSeconds }: AttemptLimit, now: Date): Date {
  const windowMs = windowSeconds * 1000
  return new Date(Math.floor(now.getTime() / windowMs) * windowMs)
}

/** Removes one counted attempt that was not made. */
export async function uncountAttempt(db: Db, key: string, limit: AttemptLimit, now: Date): Promise<void> {
  await db
    .updateTable('attempt_counts')
    .set((row) => ({ count: row('count', '-', 1) }))
    .where('key', '=', key.slice(0, 200))
    .where('window_start', '=', windowStart(limit, now))
    .where('count', '>', 0)
    .execute()
}

/** Deletes the counted attempts of a key, after a success. */
export async function clearAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('attempt_counts').where('key', '=', key.slice(0, 200)).execute()
}
