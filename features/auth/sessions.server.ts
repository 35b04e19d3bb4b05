import { type RawBuilder, sql } from 'kysely'
import { DEFAULT_SETTINGS } from '#features/settings/settings.ts'
import { HOUR_MS, DAY_MS } from '#lib/format/time.ts'
import { BatchLoader } from '#lib/async/batch-loader.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { randomToken, sha256, sha256Hex } from '#lib/ids/ids.server.ts'
import { type DeviceName, deviceName } from './device-name-rules.ts'
import { IDLE_MINUTES, LOCKING_ROLES, locksWhenIdle, MANUALLY_LOCKING_ROLES } from './lock-rules.ts'

export type Role = 'customer' | 'owner' | 'manager' | 'sales' | 'cashier' | 'weigher' | 'viewer'

/** The signed-in user of a request. */
export interface SignedInUser {
  id: number
  name: string
  phone: string
  email: string | null
  role: Role
  /** The phone is verified: orders placed with it may be shown. */
  isPhoneVerified: boolean
  /** Signing in requires a second factor. */
  hasSecondFactor: boolean
  /** The account has a password. */
  hasPassword: boolean
  /** The session's id, and when its user last entered the password or a code. */
  session: { id: number; checkedAt: Date }
}

/** The request that creates a session. */
export interface SessionStart {
  ip: string
  userAgent: string
  now: Date
}

const CUSTOMER_DAYS = 30
const STAFF_HOURS = 12
/** The last use of a session is written at most this often. */
const TOUCH_MINUTES = 5
/** Changes of the account require a password or a code entered within this time. */
const FRESH_MINUTES = 10

/** How a session that a PIN opens differs: it is no proof for changes of the account, and ends no later than the one before. */
interface PinStart {
  isByPin?: boolean
  latestEnd?: Date
}

/** Creates a session. Returns the token for the browser's cookie; only its hash is stored. */
export async function openSession(
  db: Db,
  user: { id: number; role: Role },
  from: SessionStart & PinStart,
): Promise<{ token: string; expiresAt: Date }> {
  const token = randomToken(32)
  const { ip, now, isByPin = false, latestEnd } = from
  const end = now.getTime() + (await lifetimeMs(db, user.role))
  const expiresAt = new Date(Math.min(end, latestEnd?.getTime() ?? end))
  const userAgent = from.userAgent.slice(0, 300)
  const times = { created_at: now, last_seen_at: now, checked_at: isByPin ? new Date(0) : now, expires_at: expiresAt }
  await db
    .insertInto('sessions')
    .values({ token_hash: sha256(token), user_id: user.id, ...times, ip, user_agent: userAgent })
    .execute()
  return { token, expiresAt }
}

/** The lifetime of a session by role. Sessions that lock when idle last as long as the owner's setting says. */
async function lifetimeMs(db: Db, role: Role): Promise<number> {
  if (role === 'customer') return CUSTOMER_DAYS * DAY_MS
  if (!locksWhenIdle(role)) return STAFF_HOURS * HOUR_MS
  const setting = await db.selectFrom('settings').select('value').where('key', '=', 'device_session_hours').executeTakeFirst()
  const hours = setting?.value
  return (typeof hours === 'number' ? hours : DEFAULT_SETTINGS.device_session_hours) * HOUR_MS
}

type SessionRow = Omit<SignedInUser, 'session'> & { hash: string; sessionId: number; checkedAt: Date; isLocked: boolean }

/** The user of a session. A locked session allows nothing before the PIN. */
interface FoundSession {
  user: SignedInUser
  isLocked: boolean
}

/** Loads the sessions that concurrent requests need in one query. */
class SessionLookup {
  #now = new Date(0)
  readonly #used: BatchLoader<string, FoundSession>
  readonly #background: BatchLoader<string, FoundSession>

  constructor(db: Db) {
    this.#used = new BatchLoader((hashes) => readSessions(db, hashes, this.#now, true))
    this.#background = new BatchLoader((hashes) => readSessions(db, hashes, this.#now, false))
  }

  find(hash: string, now: Date, isBackground: boolean): Promise<FoundSession | undefined> {
    this.#now = now
    return (isBackground ? this.#background : this.#used).load(hash)
  }
}
const lookups = new WeakMap<Db, SessionLookup>()

/**
 * The user of a session token, with the token's hash. Null when the session is unknown, ended or idle for too long, or the account is
 * disabled. The same statement updates the time of the last use every few minutes, except for background requests: a page that asks by itself
 * must not keep an idle session open.
 */
export async function findSession(
  db: Db,
  token: string,
  now: Date,
  isBackground = false,
): Promise<(FoundSession & { hash: string }) | null> {
  if (token.length < 40 || token.length > 50) return null
  const lookup = lookups.get(db) ?? new SessionLookup(db)
  lookups.set(db, lookup)
  const hash = sha256Hex(token)
  const found = await lookup.find(hash, now, isBackground)
  return found ? { ...found, hash } : null
}

async function readSessions(db: Db, hashes: string[], now: Date, isUse: boolean): Promise<Map<string, FoundSession>> {
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const { rows } = await sql<SnakeCased<SessionRow>>`/*prepared session*/
    with requested as (
      select decode(h, 'hex') as token_hash, h from unnest(${hashes}::text[]) as h
    ), found as (
      select h as hash, u.id, u.name, u.phone, u.email, u.role, u.phone_verified_at is not null as is_phone_verified,
        f.user_id is not null as has_second_factor, u.password_hash is not null as has_password,
        s.id as session_id, s.checked_at, s.last_seen_at,
        (u.role = any(${MANUALLY_LOCKING_ROLES}::text[]) and s.locked_at is not null)
          or (u.role = any(${LOCKING_ROLES}::text[]) and s.last_seen_at < ${minutesAgo(IDLE_MINUTES)}) as is_locked
      from requested r join sessions s on s.token_hash = r.token_hash join users u on u.id = s.user_id
        left join second_factors f on f.user_id = u.id and f.confirmed_at is not null
      where s.expires_at > ${now} and u.disabled_at is null
        and (u.role = 'customer' or u.role = any(${LOCKING_ROLES}::text[]) or s.last_seen_at >= ${minutesAgo(IDLE_MINUTES)})
    ), touched as (
      update sessions set last_seen_at = ${now} where token_hash in (
        -- A time in the future is of a clock that was set back since: it would keep the session from locking.
        select token_hash from sessions where id in (select session_id from found where ${isUse} and not is_locked
          and last_seen_at not between ${minutesAgo(TOUCH_MINUTES)} and ${minutesAgo(-TOUCH_MINUTES)})
        -- A row that another request is updating now needs no second update.
        order by token_hash for no key update skip locked)
    )
    select hash, id, name, phone, email, role, is_phone_verified, has_second_factor, has_password, session_id, checked_at, is_locked from found`.execute(
    db,
  )
  return new Map(
    rows
      .map(toCamel<SessionRow>)
      .map(({ hash, sessionId, checkedAt, isLocked, ...user }) => [
        hash,
        { user: { ...user, session: { id: sessionId, checkedAt } }, isLocked },
      ]),
  )
}

/**
 * Whether the user entered the password or a code within the last minutes, as changes of the account require. A time far in the future is
 * of a clock that was set back since, and does not count.
 */
export function isRecentlyAuthenticated(user: SignedInUser, now: Date): boolean {
  return Math.abs(now.getTime() - user.session.checkedAt.getTime()) < FRESH_MINUTES * 60_000
}

/** Records that the user has just entered the password or a code again. */
export async function reauthenticate(db: Db, sessionId: number, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ checked_at: now }).where('id', '=', sessionId).execute()
}

/**
 * Deletes the session of a token. The device where it was is not notified of news any more (decision 64), unless its user is `next`, who signs
 * in there now.
 */
export async function closeSession(db: Db, token: string, next: number | null = null): Promise<void> {
  await deleteSession(db, sql`token_hash = ${sha256(token)}`, next)
}

/** Deletes the session that the condition finds, as `closeSession` does. Returns when it would have ended; null when there is none. */
export async function deleteSession(db: Db, condition: RawBuilder<unknown>, next: number | null = null): Promise<Date | null> {
  const { rows } = await sql<{ expires_at: Date }>`with ended as (delete from sessions where ${condition} returning id, expires_at),
    silenced as (delete from push_subscriptions where session_id in (select id from ended) and user_id is distinct from ${next}::bigint)
    select expires_at from ended`.execute(db)
  return rows[0]?.expires_at ?? null
}

/**
 * Deletes the sessions of a user, all or all but one: after a new password or phone, a closed account or a new role. Sign-ins and changes of
 * the phone that have not been finished end too: they were begun with the old password. No device of the user is notified of news any more
 * (decision 64), except that of the session that stays. Returns the number of sessions.
 */
export async function closeSessions(db: Db, userId: number, exceptId: number | null = null): Promise<number> {
  await db.deleteFrom('challenges').where('user_id', '=', userId).where('used_at', 'is', null).execute()
  await sql`delete from push_subscriptions where user_id = ${userId}
    and (${exceptId}::bigint is null or session_id is distinct from ${exceptId})`.execute(db)
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', 'is distinct from', exceptId)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Deletes one of the user's own sessions, and ends the notifications of its device; false when there is none with this id. */
export async function closeOwnSession(db: Db, userId: number, sessionId: number): Promise<boolean> {
  return (await deleteSession(db, sql`user_id = ${userId} and id = ${sessionId}`)) !== null
}

/**
 * Locks the account before its session, as the commands that end sessions do. The account, or null when the session has ended. It ends while a
 * request waits for the lock, when the account gets another password, is merged or is erased.
 */
export async function lockOwnSession(tx: Db, { id, session }: SignedInUser): Promise<{ name: string; email: string | null } | null> {
  const users = tx.selectFrom('users').select(['name', 'email'])
  const account = await users.where('id', '=', id).forUpdate().executeTakeFirst()
  const sessions = tx.selectFrom('sessions').select('id').where('id', '=', session.id)
  return account && (await sessions.executeTakeFirst()) ? account : null
}

/** A session as its user sees it. */
export interface DeviceRow extends DeviceName {
  id: number
  createdAt: Date
  lastSeenAt: Date
}

/** The current sessions of a user, the last used first. */
export async function listDevices(db: Db, user: { id: number; role: Role }, now: Date): Promise<DeviceRow[]> {
  const staysOpen = user.role === 'customer' || locksWhenIdle(user.role)
  const idleSince = staysOpen ? new Date(0) : new Date(now.getTime() - IDLE_MINUTES * 60_000)
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'last_seen_at'])
    .where('user_id', '=', user.id)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>=', idleSince)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  return rows.map((row) => ({ id: row.id, ...deviceName(row.user_agent), createdAt: row.created_at, lastSeenAt: row.last_seen_at }))
}
