import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { countChain, uncountChain, whileCounted } from './attempts.server.ts'
import { hasSecondFactor } from './complete-sign-in.server.ts'
import { knownAccountIds, type KnownBrowser, recognizeBrowser } from './known-browser.server.ts'
import { pinSwitches } from './limits.server.ts'
import { SWITCHABLE_ROLE } from './lock-rules.ts'
import { expectRoomToHash } from './passwords.server.ts'
import type { TooMany } from './request-code.server.ts'
import { isPinOf, type LockDeps } from './session-lock.server.ts'
import { HAS_SECOND_FACTOR } from './user-conditions.server.ts'
import { isUnchanged } from './users.server.ts'
import { deleteSession, openSession, type SessionStart, type SignedInUser } from './sessions.server.ts'

/** A cashier whose PIN is accepted in this browser. */
export interface SwitchTarget {
  id: number
  name: string
}

interface Candidate extends SwitchTarget {
  browser: KnownBrowser
  passwordHash: string | null
  pinHash: string
}

/**
 * The cashiers that a PIN switches to in this browser: they have a PIN and no second factor, and have signed in here with their present
 * password. The signed cookie of known accounts proves that, so a PIN is of no use on another device.
 */
async function listCandidates({ db, env }: LockDeps, cookie: string | null, now: Date): Promise<Candidate[]> {
  const ids = knownAccountIds(cookie)
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number; name: string; password_hash: string | null; pin_hash: string }>`
    select u.id, u.name, u.password_hash, p.pin_hash from users u join staff_pins p on p.user_id = u.id
    where u.id = any(${ids}::bigint[]) and u.role = ${SWITCHABLE_ROLE} and u.disabled_at is null and not u.password_once
      and not ${HAS_SECOND_FACTOR}
    order by u.name, u.id`.execute(db)
  return rows.flatMap(({ id, name, password_hash: passwordHash, pin_hash: pinHash }) => {
    const browser = recognizeBrowser(env.sessionSecret, cookie, { id, passwordHash }, now)
    return browser ? [{ id, name, browser, passwordHash, pinHash }] : []
  })
}

/** The cashiers to choose from, without the one of the session. */
export async function listSwitchTargets(deps: LockDeps, from: SignedInUser, cookie: string | null, now: Date): Promise<SwitchTarget[]> {
  const candidates = await listCandidates(deps, cookie, now)
  return candidates.filter(({ id }) => id !== from.id).map(({ id, name }) => ({ id, name }))
}

interface SwitchRequest extends SessionStart {
  /** The user of the session, locked or not. */
  from: SignedInUser
  targetId: number
  pin: string
  /** The cookie of accounts that this browser has signed in to. */
  knownCookie: string | null
}

/** `ended`: the session of the former cashier ended meanwhile. */
type SwitchResult =
  | { ok: true; session: { token: string; expiresAt: Date }; target: SwitchTarget }
  | { ok: false; reason: 'unknown' | 'wrong' | 'ended' }
  | TooMany

/**
 * Replaces the session of this browser by one of another cashier, who enters the PIN. The new session expires with the old one, so that a
 * password is needed once a working day, and it does not count as a confirmation by password. Throws `HashingBusyError`, which costs no
 * attempt. See decision 27.
 */
export async function switchCashier(deps: LockDeps, request: SwitchRequest): Promise<SwitchResult> {
  const { db, env } = deps
  const { from, targetId, pin, now } = request
  const target = (await listCandidates(deps, request.knownCookie, now)).find(({ id }) => id === targetId && id !== from.id)
  if (!target) return { ok: false, reason: 'unknown' }
  expectRoomToHash('check')
  const chain = env.rateLimit ? pinSwitches(target.browser, from.session.id) : []
  const limited = await countChain(db, chain, now)
  if (limited) return { ok: false, reason: 'too-many', retryAfter: limited.retryAfter }
  if (!(await whileCounted(db, chain, now, () => isPinOf(deps, target, pin)))) return { ok: false, reason: 'wrong' }
  await uncountChain(db, chain, now)
  return inTransaction(db, async (tx): Promise<SwitchResult> => {
    if (!(await isUnchanged(tx, { ...target, role: SWITCHABLE_ROLE })) || (await hasSecondFactor(tx, target.id)))
      return { ok: false, reason: 'unknown' }
    // One of two concurrent switches finds the session; the other has none to replace.
    const latestEnd = await deleteSession(tx, sql`id = ${from.session.id}`, target.id)
    if (!latestEnd) return { ok: false, reason: 'ended' }
    const session = await openSession(tx, { id: target.id, role: SWITCHABLE_ROLE }, { ...request, isByPin: true, latestEnd })
    await audit(
      tx,
      { kind: 'staff', id: target.id, ip: request.ip },
      { action: 'switched', subject: 'session', id: target.id, before: { name: from.name }, after: { name: target.name } },
    )
    return { ok: true, session, target: { id: target.id, name: target.name } }
  })
}
