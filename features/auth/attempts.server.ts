import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'

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
export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await sql`delete from attempt_counts where key = ${key.slice(0, 200)}`.execute(db)
}

/** Seconds until something may be tried again under the key; 0 when now. Counts nothing. */
export async function attemptWait(db: Db, key: string, limit: AttemptLimit, now: Date): Promise<number> {
  const start = windowStart(limit, now)
  const { rows } = await sql`
    select 1 from attempt_counts where key = ${key.slice(0, 200)} and window_start = ${start} and count >= ${limit.most}`.execute(db)
  return rows.length === 0 ? 0 : Math.ceil((start.getTime() - now.getTime()) / 1000) + limit.windowSeconds
}
