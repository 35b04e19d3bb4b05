import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { ORDERS } from './orders.ts'
import { PUBLISHED_PHONES } from './published-accounts.ts'

/**
 * The time of the seeding transaction: all demo rows share it to the microsecond, and demo orders are older. Rows that users
 * create never share a time. Without such a time, only accounts count as the demo's.
 */
export async function seedingTime(tx: Db): Promise<Date> {
  const phones = [...PUBLISHED_PHONES, ...ORDERS.map(({ phone }) => phone)]
  const { rows } = await sql<{ at: Date | null }>`select min(at) as at from (
    select created_at as at from images where is_illustration group by created_at having count(*) > 1
    union all select created_at from users where phone = any(${phones}) group by created_at having count(*) > 1) shared`.execute(tx)
  return rows[0]?.at ?? new Date(0)
}

/** Rounds up to the next millisecond: a Date has milliseconds, a timestamp of PostgreSQL microseconds. */
export function endOf(moment: Date): Date {
  return new Date(moment.getTime() + 1)
}
