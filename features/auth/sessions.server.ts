import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import { randomToken, sha256 } from '#lib/ids.server.ts'

export type Role = 'customer' | 'owner' | 'manager' | 'sales' | 'cashier' | 'weigher' | 'viewer'

/** The signed-in person of a request. */
export interface SignedInUser {
  id: number
  name: string
  phone: string
  email: string | null
  role: Role
  /** The phone is proven to be the person's: orders placed with it may be shown. */
  phoneProven: boolean
}

const DAY_MS = 86_400_000
const CUSTOMER_DAYS = 30
const STAFF_HOURS = 12
const STAFF_IDLE_MINUTES = 30
/** A session's last use is written at most this often. */
const TOUCH_MS = 5 * 60_000

/** Begins a session; the token is told to the browser once and kept here only as its hash. */
export async function openSession(
  db: Db,
  user: { id: number; role: Role },
  from: { ip: string; userAgent: string; now: Date },
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomToken(32)
  const lifetime = user.role === 'customer' ? CUSTOMER_DAYS * DAY_MS : (STAFF_HOURS * DAY_MS) / 24
  const expiresAt = new Date(from.now.getTime() + lifetime)
  await sql`insert into sessions (token_hash, user_id, created_at, last_seen_at, expires_at, ip, user_agent)
    values (${sha256(token)}, ${user.id}, ${from.now}, ${from.now}, ${expiresAt}, ${from.ip}, ${from.userAgent.slice(0, 300)})`.execute(db)
  return { token, expiresAt }
}

/** Whom a session token belongs to; null when it is unknown, ended, idle for too long, or its owner is disabled. */
export async function findSession(db: Db, token: string, now: Date): Promise<SignedInUser | null> {
  if (token.length < 40 || token.length > 50) return null
  const hash = sha256(token)
  const { rows } = await sql<Omit<SignedInUser, 'phoneProven'> & { last_seen_at: Date; phone_proven: boolean }>`
    select u.id, u.name, u.phone, u.email, u.role, u.phone_proven_at is not null as phone_proven, s.last_seen_at
    from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${hash} and s.expires_at > ${now} and u.disabled_at is null`.execute(db)
  const row = rows[0]
  if (!row) return null
  const idleMs = now.getTime() - row.last_seen_at.getTime()
  if (row.role !== 'customer' && idleMs > STAFF_IDLE_MINUTES * 60_000) return null
  if (idleMs > TOUCH_MS) await sql`update sessions set last_seen_at = ${now} where token_hash = ${hash}`.execute(db)
  return { id: row.id, name: row.name, phone: row.phone, email: row.email, role: row.role, phoneProven: row.phone_proven }
}

/** Ends a session for good. */
export async function closeSession(db: Db, token: string): Promise<void> {
  await sql`delete from sessions where token_hash = ${sha256(token)}`.execute(db)
}
