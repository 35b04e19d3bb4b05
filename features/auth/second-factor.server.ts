import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { endOrderAccess, lockOpenedOrders } from '#features/orders/order-access-token.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { randomCode } from '#lib/ids/ids.server.ts'
import { hmac, encrypt, decrypt } from '#lib/crypto/keys.server.ts'
import { countChain, uncountChain } from './attempts.server.ts'
import { type Challenge, endChallenge, countChallengeAttempt } from './challenges.server.ts'
import { readCode } from './code-rules.ts'
import { completeSignIn, type Entry } from './complete-sign-in.server.ts'
import { findKnownBrowser } from './known-browser.server.ts'
import { wrongFactors } from './limits.server.ts'
import { findPerson, type Person } from './users.server.ts'
import type { IdentityDeps, TooMany } from './request-code.server.ts'
import { closeSessions, lockOwnSession, type SignedInUser } from './sessions.server.ts'
import { matchingStep, newTotpSecret } from './totp.server.ts'

const RECOVERY_CODES = 10
const RECOVERY_LENGTH = 12
const USE = 'second-factor'

type Deps = Pick<IdentityDeps, 'db' | 'now' | 'env'>

export type FactorState = 'none' | 'begun' | 'confirmed'

/** The state of a user's second factor, and the number of unused recovery codes. */
export async function secondFactorState(db: Db, userId: number): Promise<{ state: FactorState; recoveryLeft: number }> {
  const { rows } = await sql<{ confirmed: boolean; left: number }>`select confirmed_at is not null as confirmed,
    (select count(*)::int from recovery_codes r where r.user_id = f.user_id and r.used_at is null) as left
    from second_factors f where user_id = ${userId}`.execute(db)
  const row = rows[0]
  return { state: !row ? 'none' : row.confirmed ? 'confirmed' : 'begun', recoveryLeft: row?.left ?? 0 }
}

/** Stores a new secret, unless one is confirmed already. Signing in requires it only after its confirmation. */
export async function beginSecondFactor({ db, now, env }: Deps, userId: number): Promise<void> {
  const sealed = encrypt(env.sessionSecret, `${USE}:${userId}`, newTotpSecret())
  await sql`insert into second_factors (user_id, secret, created_at) values (${userId}, ${sealed}, ${now()})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
    where second_factors.confirmed_at is null`.execute(db)
}

/** The unconfirmed secret, which the page shows as a QR code; null when there is none. */
export async function secretToShow({ db, env }: Deps, userId: number): Promise<Buffer | null> {
  const factors = db.selectFrom('second_factors').where('user_id', '=', userId).where('confirmed_at', 'is', null)
  const found = await factors.select('secret').executeTakeFirst()
  return found ? decrypt(env.sessionSecret, `${USE}:${userId}`, found.secret) : null
}

export type FactorConfirmed = { ok: true; recoveryCodes: string[] } | { ok: false; reason: 'wrong' | 'ended' }

/**
 * Confirms the own secret with a code. Returns the recovery codes, which are shown only now. The other sessions of the user end: they have
 * shown no second factor; with them ends what those browsers show of the orders. `browser`: the order access token of this one. `ended`: this
 * session ended meanwhile.
 */
export async function confirmSecondFactor(
  deps: Deps,
  user: SignedInUser,
  code: string,
  { ip, browser }: { ip: string; browser: string | null },
): Promise<FactorConfirmed> {
  return inTransaction(deps.db, async (tx): Promise<FactorConfirmed> => {
    await lockOpenedOrders(tx, sql`${user.id}`)
    // A sign-in by password locks the account too: it ends here, or asks for the second factor.
    if (!(await lockOwnSession(tx, user))) return { ok: false, reason: 'ended' }
    if (!(await useTotp(tx, deps, user.id, code, 'begun'))) return { ok: false, reason: 'wrong' }
    await tx.updateTable('second_factors').set({ confirmed_at: deps.now() }).where('user_id', '=', user.id).execute()
    await endOrderAccess(tx, user.id, browser)
    await closeSessions(tx, user.id, user.session.id)
    await auditFactor(tx, { kind: 'staff', id: user.id, ip }, user.id, true)
    return { ok: true, recoveryCodes: await renewRecoveryCodes(tx, deps.env.sessionSecret, user.id) }
  })
}

/** Deletes the own second factor. */
export async function endSecondFactor(db: Db, actor: Actor): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (await deleteSecondFactor(tx, actor.id)) await auditFactor(tx, actor, actor.id, false)
  })
}

/** The audit entry of a second factor that was switched on or off. */
export function auditFactor(tx: Db, actor: Actor, userId: number, isOn: boolean): Promise<void> {
  const [before, after] = [{ second_factor: !isOn }, { second_factor: isOn }]
  return audit(tx, actor, { action: 'changed', subject: 'staff', id: userId, before, after })
}

async function renewRecoveryCodes(tx: Db, secret: string, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomCode(RECOVERY_LENGTH))
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const rows = codes.map((code) => ({ user_id: userId, code_hash: recoveryHash(secret, userId, code) }))
  await tx.insertInto('recovery_codes').values(rows).execute()
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'))
}

function recoveryHash(secret: string, userId: number, code: string): Buffer {
  return hmac(secret, 'recovery', `${userId}:${code}`)
}

/** Deletes a user's second factor and recovery codes. False when there was none. */
export async function deleteSecondFactor(db: Db, userId: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    const { numDeletedRows } = await tx.deleteFrom('second_factors').where('user_id', '=', userId).executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  })
}

/** Verifies a code of the authenticator and uses it up. A row lock lets only one of two concurrent requests use it. */
async function useTotp(tx: Db, { env, now }: Deps, userId: number, typed: string, state: 'begun' | 'confirmed'): Promise<boolean> {
  const { rows } = await sql<{ secret: Buffer; last_step: number }>`select secret, last_step from second_factors
    where user_id = ${userId} and (confirmed_at is not null) = ${state === 'confirmed'} for update`.execute(tx)
  const secret = rows[0] ? decrypt(env.sessionSecret, `${USE}:${userId}`, rows[0].secret) : null
  const code = readCode(typed)
  const step = secret && code ? matchingStep(secret, code, now(), rows[0]?.last_step ?? 0) : null
  if (step === null) return false
  await tx.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', userId).execute()
  return true
}

async function useRecoveryCode(tx: Db, { env, now }: Deps, userId: number, typed: string): Promise<boolean> {
  // Letters that look like digits are read as digits: Crockford's alphabet has none of them.
  const code = typed
    .slice(0, 60)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
  if (code.length !== RECOVERY_LENGTH) return false
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now() })
    .where('user_id', '=', userId)
    .where('code_hash', '=', recoveryHash(env.sessionSecret, userId, code))
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export type FactorResult = { ok: true; entry: Entry } | { ok: false; reason: 'wrong' | 'expired' } | TooMany

/** The second step of signing in: a code of the authenticator, or one of the recovery codes. */
export async function verifySecondFactor(
  deps: Deps,
  proof: { token: string; challenge: Challenge; code: string; ip: string; userAgent: string; knownCookie: string | null },
): Promise<FactorResult> {
  const { db, env } = deps
  const now = deps.now()
  const userId = proof.challenge.userId ?? 0
  const chain = env.rateLimit ? wrongFactors(userId, await findKnownBrowser(deps, proof.knownCookie, { id: userId })) : []
  const limited = await countChain(db, chain, now)
  if (limited) return { ok: false, reason: 'too-many', retryAfter: limited.retryAfter }
  const result = await inTransaction(db, async (tx): Promise<FactorResult> => {
    const challenge = await countChallengeAttempt(tx, proof.token, now)
    if (challenge?.purpose !== 'second-factor' || challenge.userId !== userId) return { ok: false, reason: 'expired' }
    const shown = (await useTotp(tx, deps, userId, proof.code, 'confirmed')) || (await useRecoveryCode(tx, deps, userId, proof.code))
    if (!shown) return { ok: false, reason: 'wrong' }
    await endChallenge(tx, challenge.id, now)
    const person = await findPerson(tx, userId)
    if (!person) return { ok: false, reason: 'expired' }
    const { nextPath, details } = challenge
    const { ip, userAgent } = proof
    return {
      ok: true,
      entry: await completeSignIn(tx, person, {
        ip,
        userAgent,
        now,
        nextPath,
        passwordOnce: details.passwordOnce ?? false,
        factorShown: true,
      }),
    }
  })
  if (result.ok) await uncountChain(db, chain, now)
  return result
}

/** The first of several users whose authenticator shows this code now, or null. The code is used up. */
export async function findBySecondFactor(deps: Deps, people: readonly Person[], code: string): Promise<Person | null> {
  for (const person of people) if (await inTransaction(deps.db, (tx) => useTotp(tx, deps, person.id, code, 'confirmed'))) return person
  return null
}

/** Whether a signed-in user enters a valid code. Counted as a known browser, so that an attacker with the password uses none of its attempts. */
export async function isSecondFactor(deps: Deps, userId: number, code: string): Promise<boolean> {
  const now = deps.now()
  const chain = deps.env.rateLimit ? wrongFactors(userId, { userId, browserId: 'signed-in' }) : []
  if (await countChain(deps.db, chain, now)) return false
  const right = await inTransaction(
    deps.db,
    async (tx) => (await useTotp(tx, deps, userId, code, 'confirmed')) || (await useRecoveryCode(tx, deps, userId, code)),
  )
  if (right) await uncountChain(deps.db, chain, now)
  return right
}
