import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import type { StaffRole } from '../permissions.ts'
import { HAS_SECOND_FACTOR, IS_STAFF } from '../user-conditions.server.ts'

/** A member of staff, for the owner. */
export interface StaffRow {
  id: number
  name: string
  phone: string
  role: StaffRole
  second_factor: boolean
  /** Has not chosen an own password yet. */
  password_once: boolean
  disabled_at: string | null
  /** The last page or change; null: never signed in. */
  last_seen_at: string | null
}

type Row = WithDates<StaffRow, 'disabled_at' | 'last_seen_at'>

const SELECT = sql`
  select u.id, u.name, u.phone, u.role, u.password_once, u.disabled_at,
    ${HAS_SECOND_FACTOR} as second_factor,
    greatest((select max(last_seen_at) from sessions s where s.user_id = u.id),
      (select at from audit_log a where a.actor_id = u.id order by a.id desc limit 1)) as last_seen_at
  from users u where ${IS_STAFF}`

/** All members of staff; enabled accounts come first. */
export async function listStaff(db: Db): Promise<StaffRow[]> {
  const { rows } = await sql<Row>`${SELECT} order by u.disabled_at is not null, u.name, u.id`.execute(db)
  return rows.map(datesToText)
}

export async function findStaff(db: Db, id: number): Promise<StaffRow | null> {
  const { rows } = await sql<Row>`${SELECT} and u.id = ${id}`.execute(db)
  return rows[0] ? datesToText(rows[0]) : null
}
