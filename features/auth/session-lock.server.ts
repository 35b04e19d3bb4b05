import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { confirmByPassword } from './account-changes.server.ts'
import { MAX_PIN_TRIES } from './lock-rules.ts'
import { expectRoomToHash, hashPassword, isPassword } from './passwords.server.ts'
import type { IdentityDeps, TooMany } from './request-code.server.ts'
import type { SignedInUser } from './sessions.server.ts'

export interface LockDeps extends Pick<IdentityDeps, 'db'> {
  env: IdentityDeps['env'] & { sessionSecret: string }
}

/** Keyed with the server's secret: a copy of the database alone does not allow guessing a PIN. */
function keyed({ env }: LockDeps, userId: number, pin: string): string {
  return createHmac('sha256', env.sessionSecret).update(`pin:${userId}:${pin}`).digest('base64')
}

/** Locks a session at once. */
export async function lockSession(db: Db, sessionId: number, now: Date): Promise<void> {
  await sql`update sessions set locked_at = ${now} where id = ${sessionId}`.execute(db)
}

export async function hasPin(db: Db, userId: number): Promise<boolean> {
  return (await sql`select 1 from staff_pins where user_id = ${userId}`.execute(db)).rows.length > 0
}

/** `ended`: the session is gone, after too many wrong PINs. `no-pin`: the person has not set one. */
export type UnlockResult = { ok: true } | { ok: false; reason: 'wrong' | 'ended' | 'no-pin' }

/**
 * Unlocks a session by PIN. A try is counted before it is hashed, so that calls at once get no more than `MAX_PIN_TRIES`; the last wrong
 * one ends the session. Throws `HashingBusyError`, which costs no try.
 */
export async function unlockByPin(deps: LockDeps, user: SignedInUser, pin: string, now: Date): Promise<UnlockResult> {
  const { db } = deps
  const { id } = user.session
  expectRoomToHash('check')
  const { rows } = await sql<{ pin_hash: string }>`
    update sessions s set pin_tries = s.pin_tries + 1 from staff_pins p
    where s.id = ${id} and p.user_id = s.user_id and s.pin_tries < ${MAX_PIN_TRIES} returning p.pin_hash`.execute(db)
  const hash = rows[0]?.pin_hash
  if (hash === undefined) {
    if (!(await hasPin(db, user.id))) return { ok: false, reason: 'no-pin' }
    return { ok: false, reason: 'ended' }
  }
  if (await whileCounted(db, id, () => isPassword(hash, keyed(deps, user.id, pin)))) {
    return (await unlock(db, id, now)) ? { ok: true } : { ok: false, reason: 'ended' }
  }
  const { numAffectedRows } = await sql`delete from sessions where id = ${id} and pin_tries >= ${MAX_PIN_TRIES}`.execute(db)
  return { ok: false, reason: numAffectedRows === 1n ? 'ended' : 'wrong' }
}

/** Unlocks a session by password and sets a new PIN: at first use, and for one that is forgotten. The password's limit is that of confirming. */
export async function unlockByPassword(
  deps: LockDeps,
  user: SignedInUser,
  { password, newPin, now }: { password: string; newPin: string; now: Date },
): Promise<{ ok: true } | { ok: false; reason: 'wrong' | 'ended' } | TooMany> {
  const confirmed = await confirmByPassword(deps, { user, password, now })
  if (!confirmed.ok) return confirmed
  const hash = await hashPassword(keyed(deps, user.id, newPin))
  return inTransaction(deps.db, async (tx): Promise<{ ok: true } | { ok: false; reason: 'ended' }> => {
    if (!(await unlock(tx, user.session.id, now))) return { ok: false, reason: 'ended' }
    await sql`insert into staff_pins (user_id, pin_hash, set_at) values (${user.id}, ${hash}, ${now})
      on conflict (user_id) do update set pin_hash = excluded.pin_hash, set_at = excluded.set_at`.execute(tx)
    return { ok: true }
  })
}

/** False when the session ended meanwhile. */
async function unlock(db: Db, sessionId: number, now: Date): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update sessions set locked_at = null, pin_tries = 0, last_seen_at = ${now} where id = ${sessionId}`.execute(db)
  return numAffectedRows === 1n
}

async function whileCounted(db: Db, sessionId: number, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    await sql`update sessions set pin_tries = pin_tries - 1 where id = ${sessionId} and pin_tries > 0`.execute(db)
    throw error
  }
}
