import { sql } from 'kysely'
import { BatchLoader } from '#lib/async/batch-loader.ts'
import type { Db } from '#lib/db/db.server.ts'
import { randomToken, sha256, sha256Hex } from '#lib/ids/ids.server.ts'
import { IDLE_MINUTES, LOCKING_ROLES, locksWhenIdle } from './lock-rules.ts'

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
  /** Signing in asks this person for a second factor. */
  hasSecondFactor: boolean
  /** There is a password to be asked for. */
  hasPassword: boolean
  /** The number of the session, and when its person last showed the password or a code. */
  session: { id: number; checkedAt: Date }
}

/** The request a session begins with. */
export interface SessionStart {
  ip: string
  userAgent: string
  now: Date
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const CUSTOMER_DAYS = 30
const STAFF_HOURS = 12
/** Until the owner sets `device_session_hours`. */
const DEVICE_SESSION_HOURS = 12
/** A session's last use is written at most this often. */
const TOUCH_MINUTES = 5
/** What matters wants the password or a code that is no older. */
const FRESH_MINUTES = 10

/** Begins a session; the token is told to the browser once and kept here only as its hash. */
export async function openSession(
  db: Db,
  user: { id: number; role: Role },
  from: SessionStart,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomToken(32)
  const expiresAt = new Date(from.now.getTime() + (await lifetimeMs(db, user.role)))
  await sql`insert into sessions (token_hash, user_id, created_at, last_seen_at, checked_at, expires_at, ip, user_agent)
    values (${sha256(token)}, ${user.id}, ${from.now}, ${from.now}, ${from.now}, ${expiresAt}, ${from.ip}, ${from.userAgent.slice(0, 300)})`.execute(
    db,
  )
  return { token, expiresAt }
}

/** How long a session lasts. Those that lock when idle last a working day, as the owner has set it. */
async function lifetimeMs(db: Db, role: Role): Promise<number> {
  if (role === 'customer') return CUSTOMER_DAYS * DAY_MS
  if (!locksWhenIdle(role)) return STAFF_HOURS * HOUR_MS
  const { rows } = await sql<{ value: unknown }>`select value from settings where key = 'device_session_hours'`.execute(db)
  const hours = rows[0]?.value
  return (typeof hours === 'number' ? hours : DEVICE_SESSION_HOURS) * HOUR_MS
}

type Found = Omit<SignedInUser, 'session'> & { hash: string; sessionId: number; checkedAt: Date; isLocked: boolean }

/** The user of a session; `isLocked`: it takes a PIN before the user may do anything. */
interface FoundSession {
  user: SignedInUser
  isLocked: boolean
}

/** Who asks at one moment is looked up together. */
class SessionLookup {
  #now = new Date(0)
  readonly #sessions: BatchLoader<string, FoundSession>

  constructor(db: Db) {
    this.#sessions = new BatchLoader((hashes) => readSessions(db, hashes, this.#now))
  }

  find(hash: string, now: Date): Promise<FoundSession | undefined> {
    this.#now = now
    return this.#sessions.load(hash)
  }
}
const lookups = new WeakMap<Db, SessionLookup>()

/**
 * Whom a session token belongs to, and its hash; null when it is unknown, ended, idle for too long, or its owner is disabled. One round
 * trip, which also writes down, now and then, that the session was used.
 */
export async function findSession(db: Db, token: string, now: Date): Promise<(FoundSession & { hash: string }) | null> {
  if (token.length < 40 || token.length > 50) return null
  const lookup = lookups.get(db) ?? new SessionLookup(db)
  lookups.set(db, lookup)
  const hash = sha256Hex(token)
  const found = await lookup.find(hash, now)
  return found ? { ...found, hash } : null
}

async function readSessions(db: Db, hashes: string[], now: Date): Promise<Map<string, FoundSession>> {
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const { rows } = await sql<Found>`/*prepared session*/
    with asked as (
      select decode(h, 'hex') as token_hash, h from unnest(${hashes}::text[]) as h
    ), found as (
      select h as hash, u.id, u.name, u.phone, u.email, u.role, u.phone_verified_at is not null as "phoneProven", f.user_id is not null as "hasSecondFactor", u.password_hash is not null as "hasPassword",
        s.id as "sessionId", s.checked_at as "checkedAt", s.last_seen_at,
        u.role = any(${LOCKING_ROLES}::text[]) and (s.locked_at is not null or s.last_seen_at < ${minutesAgo(IDLE_MINUTES)}) as "isLocked"
      from asked join sessions s on s.token_hash = asked.token_hash join users u on u.id = s.user_id left join second_factors f on f.user_id = u.id and f.confirmed_at is not null
      where s.expires_at > ${now} and u.disabled_at is null
        and (u.role = 'customer' or u.role = any(${LOCKING_ROLES}::text[]) or s.last_seen_at >= ${minutesAgo(IDLE_MINUTES)})
    ), touched as (
      update sessions set last_seen_at = ${now} where token_hash in (
        select token_hash from sessions where id in (select "sessionId" from found where not "isLocked" and last_seen_at < ${minutesAgo(TOUCH_MINUTES)})
        -- Who is written down at this moment by somebody else need not be twice.
        order by token_hash for no key update skip locked)
    )
    select * from found`.execute(db)
  return new Map(
    rows.map(({ hash, id, name, phone, email, role, phoneProven, hasSecondFactor, hasPassword, sessionId, checkedAt, isLocked }) => [
      hash,
      {
        user: { id, name, phone, email, role, phoneProven, hasSecondFactor, hasPassword, session: { id: sessionId, checkedAt } },
        isLocked,
      },
    ]),
  )
}

/** Whether the person has shown the password or a code just now, so that what matters may be changed. */
export function isRecentlyAuthenticated(user: SignedInUser, now: Date): boolean {
  return now.getTime() - user.session.checkedAt.getTime() < FRESH_MINUTES * 60_000
}

/** The person has just shown the password or a code again. */
export async function reauthenticate(db: Db, sessionId: number, now: Date): Promise<void> {
  await sql`update sessions set checked_at = ${now} where id = ${sessionId}`.execute(db)
}

/** Ends a session for good. */
export async function closeSession(db: Db, token: string): Promise<void> {
  await sql`delete from sessions where token_hash = ${sha256(token)}`.execute(db)
}

/** Ends a person's sessions, all or all but one: the password changed, the account was closed, the role is another. */
export async function closeSessions(db: Db, userId: number, exceptId: number | null = null): Promise<number> {
  const { numAffectedRows } = await sql`delete from sessions where user_id = ${userId} and id is distinct from ${exceptId}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Ends one of a person's own sessions; false when there is no such one. */
export async function closeOwnSession(db: Db, userId: number, sessionId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from sessions where user_id = ${userId} and id = ${sessionId}`.execute(db)
  return Number(numAffectedRows ?? 0) === 1
}

/** A session as its owner sees it. */
export interface DeviceRow {
  id: number
  userAgent: string
  createdAt: Date
  lastSeenAt: Date
}

/** Where a person is signed in now, the last used first. */
export async function listDevices(db: Db, user: { id: number; role: Role }, now: Date): Promise<DeviceRow[]> {
  const staysOpen = user.role === 'customer' || locksWhenIdle(user.role)
  const idleSince = staysOpen ? new Date(0) : new Date(now.getTime() - IDLE_MINUTES * 60_000)
  const { rows } =
    await sql<DeviceRow>`select id, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt" from sessions
    where user_id = ${user.id} and expires_at > ${now} and last_seen_at >= ${idleSince} order by last_seen_at desc, id desc limit 100`.execute(
      db,
    )
  return rows
}
