import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { randomCode } from '#lib/ids/ids.server.ts'
import { mark, encrypt, decrypt } from '#lib/crypto/keys.server.ts'
import { countChain, uncountChain } from './attempt-chain.server.ts'
import { type Challenge, endChallenge, countChallengeAttempt } from './challenges.server.ts'
import { readCode } from './code-rules.ts'
import { enter, type Entry } from './complete-sign-in.server.ts'
import { findKnownBrowser } from './known-browser.server.ts'
import { wrongFactors } from './limits.server.ts'
import { findPerson, type Person } from './users.server.ts'
import type { IdentityDeps, TooMany } from './request-code.server.ts'
import { matchingStep, newTotpSecret } from './totp.server.ts'

const RECOVERY_CODES = 10
const RECOVERY_LENGTH = 12
const USE = 'second-factor'

type Deps = Pick<IdentityDeps, 'db' | 'now' | 'env'>

export type FactorState = 'none' | 'begun' | 'confirmed'

/** How far a person is with the second factor, and how many recovery codes are left. */
export async function secondFactorState(db: Db, userId: number): Promise<{ state: FactorState; recoveryLeft: number }> {
  const { rows } = await sql<{ confirmed: boolean; left: number }>`select confirmed_at is not null as confirmed,
    (select count(*)::int from recovery_codes r where r.user_id = f.user_id and r.used_at is null) as left
    from second_factors f where user_id = ${userId}`.execute(db)
  const row = rows[0]
  return { state: !row ? 'none' : row.confirmed ? 'confirmed' : 'begun', recoveryLeft: row?.left ?? 0 }
}

/** Begins with a new secret, unless one is confirmed already. It asks nobody for anything before it is confirmed. */
export async function beginSecondFactor({ db, now, env }: Deps, userId: number): Promise<void> {
  const sealed = encrypt(env.sessionSecret, `${USE}:${userId}`, newTotpSecret())
  await sql`insert into second_factors (user_id, secret, created_at) values (${userId}, ${sealed}, ${now()})
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at, last_step = 0
    where second_factors.confirmed_at is null`.execute(db)
}

/** The secret that was begun and is not confirmed yet, to be shown; null when there is none. */
export async function secretToShow({ db, env }: Deps, userId: number): Promise<Buffer | null> {
  const { rows } = await sql<{
    secret: Buffer
  }>`select secret from second_factors where user_id = ${userId} and confirmed_at is null`.execute(db)
  return rows[0] ? decrypt(env.sessionSecret, `${USE}:${userId}`, rows[0].secret) : null
}

/** Confirms the begun secret with a code of it. Answers the recovery codes, which are shown this once; null when the code is wrong. */
export async function confirmSecondFactor(deps: Deps, userId: number, code: string): Promise<string[] | null> {
  return inTransaction(deps.db, async (tx) => {
    if (!(await useTotp(tx, deps, userId, code, 'begun'))) return null
    await sql`update second_factors set confirmed_at = ${deps.now()} where user_id = ${userId}`.execute(tx)
    return renewRecoveryCodes(tx, deps.env.sessionSecret, userId)
  })
}

async function renewRecoveryCodes(tx: Db, secret: string, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomCode(RECOVERY_LENGTH))
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
  const rows = codes.map((code) => ({ user_id: userId, code_hash: recoveryHash(secret, userId, code) }))
  await tx.insertInto('recovery_codes').values(rows).execute()
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'))
}

function recoveryHash(secret: string, userId: number, code: string): Buffer {
  return mark(secret, 'recovery', `${userId}:${code}`)
}

/** Signing in asks for no second factor any more. */
export async function dropSecondFactor(db: Db, userId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
    await sql`delete from second_factors where user_id = ${userId}`.execute(tx)
  })
}

/** Uses a code of the authenticator up, under a lock: of two at once one counts. */
async function useTotp(tx: Db, { env, now }: Deps, userId: number, typed: string, state: 'begun' | 'confirmed'): Promise<boolean> {
  const { rows } = await sql<{ secret: Buffer; last_step: number }>`select secret, last_step from second_factors
    where user_id = ${userId} and (confirmed_at is not null) = ${state === 'confirmed'} for update`.execute(tx)
  const secret = rows[0] ? decrypt(env.sessionSecret, `${USE}:${userId}`, rows[0].secret) : null
  const code = readCode(typed)
  const step = secret && code ? matchingStep(secret, code, now(), rows[0]?.last_step ?? 0) : null
  if (step === null) return false
  await sql`update second_factors set last_step = ${step} where user_id = ${userId}`.execute(tx)
  return true
}

async function useRecoveryCode(tx: Db, { env, now }: Deps, userId: number, typed: string): Promise<boolean> {
  // As codes are misread: Crockford's alphabet has no letter that looks like a figure.
  const code = typed
    .slice(0, 60)
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
  if (code.length !== RECOVERY_LENGTH) return false
  const { numAffectedRows } = await sql`update recovery_codes set used_at = ${now()}
    where user_id = ${userId} and code_hash = ${recoveryHash(env.sessionSecret, userId, code)} and used_at is null`.execute(tx)
  return Number(numAffectedRows ?? 0) === 1
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
  const refused = await countChain(db, chain, now)
  if (refused) return { ok: false, reason: 'too-many', retryAfter: refused.retryAfter }
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
      entry: await enter(tx, person, { ip, userAgent, now, nextPath, passwordOnce: details.passwordOnce ?? false, factorShown: true }),
    }
  })
  if (result.ok) await uncountChain(db, chain, now)
  return result
}

/** Of several people the one whose authenticator shows this code now; null when it is nobody's. The code is used up. */
export async function findBySecondFactor(deps: Deps, people: readonly Person[], code: string): Promise<Person | null> {
  for (const person of people) if (await inTransaction(deps.db, (tx) => useTotp(tx, deps, person.id, code, 'confirmed'))) return person
  return null
}

/** Whether a signed-in person shows a right code now. Such a browser is known: an attacker with the password does not use its tries up. */
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
