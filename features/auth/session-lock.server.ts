import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { countChain, uncountChain, whileCounted } from './attempts.server.ts'
import { confirmByPassword } from './account-changes.server.ts'
import { auditOwnChange } from './audit-own-change.server.ts'
import { wrongPins } from './limits.server.ts'
import { MAX_PIN_TRIES } from './lock-rules.ts'
import { expectRoomToHash, hashPassword, isPassword } from './passwords.server.ts'
import type { IdentityDeps, TooMany } from './request-code.server.ts'
import { deleteSession, type SignedInUser } from './sessions.server.ts'

export type LockDeps = Pick<IdentityDeps, 'db' | 'env'>

/** Keyed with the server's secret: a copy of the database alone does not allow guessing a PIN. */
function keyed({ env }: LockDeps, userId: number, pin: string): string {
  return createHmac('sha256', env.sessionSecret).update(`pin:${userId}:${pin}`).digest('base64')
}

/** Whether this is the PIN of the user. */
export function isPinOf(deps: LockDeps, { id, pinHash }: { id: number; pinHash: string }, pin: string): Promise<boolean> {
  return isPassword(pinHash, keyed(deps, id, pin))
}

/** Locks a session. */
export async function lockSession(db: Db, sessionId: number, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ locked_at: now }).where('id', '=', sessionId).execute()
}

/** Whether the user has set a PIN. */
export async function hasPin(db: Db, userId: number): Promise<boolean> {
  return (await db.selectFrom('staff_pins').select('user_id').where('user_id', '=', userId).executeTakeFirst()) !== undefined
}

/** `ended`: too many wrong PINs ended the session. `no-pin`: the user has not set one. */
export type UnlockResult = { ok: true } | { ok: false; reason: 'wrong' | 'ended' | 'no-pin' } | TooMany

/**
 * Unlocks a session by PIN. An attempt is counted before the PIN is hashed, so that concurrent calls get at most `MAX_PIN_TRIES`. The last
 * wrong PIN ends the session, and a right one begins its count again, but not that of the day. Throws `HashingBusyError`, which costs no attempt.
 */
export async function unlockByPin(deps: LockDeps, user: SignedInUser, pin: string, now: Date): Promise<UnlockResult> {
  const { db } = deps
  const { id } = user.session
  expectRoomToHash('check')
  const chain = deps.env.rateLimit ? wrongPins(user.id) : []
  const limited = await countChain(db, chain, now)
  if (limited) return { ok: false, reason: 'too-many', retryAfter: limited.retryAfter }
  const { rows } = await sql<{ pin_hash: string }>`
    update sessions s set pin_tries = s.pin_tries + 1 from staff_pins p
    where s.id = ${id} and p.user_id = s.user_id and s.pin_tries < ${MAX_PIN_TRIES} returning p.pin_hash`.execute(db)
  const hash = rows[0]?.pin_hash
  if (hash === undefined) {
    await uncountChain(db, chain, now)
    if (!(await hasPin(db, user.id))) return { ok: false, reason: 'no-pin' }
    return { ok: false, reason: 'ended' }
  }
  const isRight = () => isPinOf(deps, { id: user.id, pinHash: hash }, pin)
  if (await whileCounted(db, chain, now, () => whilePinCounted(db, id, isRight))) {
    await uncountChain(db, chain, now)
    return (await unlock(db, id, now)) ? { ok: true } : { ok: false, reason: 'ended' }
  }
  const ended = await deleteSession(db, sql`id = ${id} and pin_tries >= ${MAX_PIN_TRIES}`)
  return { ok: false, reason: ended ? 'ended' : 'wrong' }
}

/** Unlocks a session by password and sets a new PIN: at first use, or after a forgotten PIN. Counts as a confirmation by password. */
export async function unlockByPassword(
  deps: LockDeps,
  user: SignedInUser,
  { password, newPin, ip, now }: { password: string; newPin: string; ip: string; now: Date },
): Promise<{ ok: true } | { ok: false; reason: 'wrong' | 'ended' } | TooMany> {
  const confirmed = await confirmByPassword(deps, { user, password, now })
  if (!confirmed.ok) return confirmed
  const hash = await hashPassword(keyed(deps, user.id, newPin))
  return inTransaction(deps.db, async (tx): Promise<{ ok: true } | { ok: false; reason: 'ended' }> => {
    if (!(await unlock(tx, user.session.id, now))) return { ok: false, reason: 'ended' }
    const pin = { pin_hash: hash, set_at: now }
    await tx
      .insertInto('staff_pins')
      .values({ user_id: user.id, ...pin })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(pin))
      .execute()
    await auditOwnChange(tx, { ...user, ip }, null, { pin: 'own' })
    return { ok: true }
  })
}

/** False when the session has ended meanwhile. */
async function unlock(db: Db, sessionId: number, now: Date): Promise<boolean> {
  const session = db.updateTable('sessions').where('id', '=', sessionId)
  const { numUpdatedRows } = await session.set({ locked_at: null, pin_tries: 0, last_seen_at: now }).executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

async function whilePinCounted(db: Db, sessionId: number, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work()
  } catch (error) {
    const session = db.updateTable('sessions').where('id', '=', sessionId).where('pin_tries', '>', 0)
    await session.set((row) => ({ pin_tries: row('pin_tries', '-', 1) })).execute()
    throw error
  }
}
