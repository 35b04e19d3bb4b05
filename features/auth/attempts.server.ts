import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** How often something may be tried: `most` times in each window of so many seconds. */
export interface AttemptLimit {
  most: number
  windowSeconds: number
}

/**
 * Counts one try under the key, in every process alike. Answers 0 when it may go on,
 * else the seconds until the window ends.
 */
export async function countAttempt(db: Db, key: string, limit: AttemptLimit, now: Date): Promise<number> {
  const start = windowStart(limit, now)
  const { rows } = await sql<{ count: number }>`
    insert into attempt_counts (key, window_start, count) values (${key.slice(0, 200)}, ${start}, 1)
    on conflict (key, window_start) do update set count = attempt_counts.count + 1 returning count`.execute(db)
  return (rows[0]?.count ?? 0) <= limit.most ? 0 : Math.ceil((start.getTime() - now.getTime()) / 1000) + limit.windowSeconds
}

export interface CountedAttempt {
  key: string
  limit: AttemptLimit
}

/**
 * Counts one try under each key, in one statement. Answers 0 when all limits let it go on, else the seconds until they do.
 * The keys must differ; they are locked in their order, so that two calls cannot wait for each other.
 */
export async function countAttempts(db: Db, counted: readonly CountedAttempt[], now: Date): Promise<number> {
  const { rows } = await sql<{ key: string; count: number }>`/*prepared count_attempts*/
    insert into attempt_counts (key, window_start, count)
    select key, start, 1 from unnest(${counted.map(scopedIdempotencyKey)}::text[], ${counted.map(({ limit }) => windowStart(limit, now))}::timestamptz[]) as c(key, start)
    order by key
    on conflict (key, window_start) do update set count = attempt_counts.count + 1 returning key, count`.execute(db)
  const counts = new Map(rows.map(({ key, count }) => [key, count]))
  const waits = counted.map((one) => ((counts.get(scopedIdempotencyKey(one)) ?? 0) <= one.limit.most ? 0 : secondsLeft(one.limit, now)))
  return Math.max(0, ...waits)
}

/** Takes one counted try back under each key, in one statement. */
export async function uncountAttempts(db: Db, counted: readonly CountedAttempt[], now: Date): Promise<void> {
  await sql`
    with mine as (
      select a.key, a.window_start
      from unnest(${counted.map(scopedIdempotencyKey)}::text[], ${counted.map(({ limit }) => windowStart(limit, now))}::timestamptz[]) as c(key, start)
      join attempt_counts a on a.key = c.key and a.window_start = c.start order by a.key for update of a)
    update attempt_counts a set count = count - 1 from mine
    where a.key = mine.key and a.window_start = mine.window_start and a.count > 0`.execute(db)
}

const scopedIdempotencyKey = ({ key }: CountedAttempt) => key.slice(0, 200)

function secondsLeft(limit: AttemptLimit, now: Date): number {
  return Math.ceil((windowStart(limit, now).getTime() - now.getTime()) / 1000) + limit.windowSeconds
}

function windowStart({ windowSeconds }: AttemptLimit, now: Date): Date {
  const windowMs = windowSeconds * 1000
  return new Date(Math.floor(now.getTime() / windowMs) * windowMs)
}

/** Takes one counted try back: it came to nothing. */
export async function uncountAttempt(db: Db, key: string, limit: AttemptLimit, now: Date): Promise<void> {
  await sql`update attempt_counts set count = count - 1 where key = ${key.slice(0, 200)} and window_start = ${windowStart(limit, now)} and count > 0`.execute(
    db,
  )
}

/** Forgets the tries under a key (after a success). */
export async function clearAttempts(db: Db, key: string): Promise<void> {
  await sql`delete from attempt_counts where key = ${key.slice(0, 200)}`.execute(db)
}
