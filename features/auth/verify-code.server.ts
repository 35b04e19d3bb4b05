import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { maskPhone } from '#lib/format/phone.ts'
import { queueSms } from '#features/messaging/queue-sms.server.ts'
import { countChain, uncountChain } from './attempts.server.ts'
import { auditOwnChange } from './audit-own-change.server.ts'
import { type Challenge, endChallenge, isCodeOf, countChallengeAttempt } from './challenges.server.ts'
import { readCode } from './code-rules.ts'
import { completeSignIn, type Entry } from './complete-sign-in.server.ts'
import { knownWrongCodes, wrongCodes } from './limits.server.ts'
import { isAdminPath } from './admin-path-rules.ts'
import { askNamePath } from './next-path-rules.ts'
import { hashPassword } from './passwords.server.ts'
import { givenName } from './placeholder-names.server.ts'
import { findPerson, findOrCreateUser, changePhone, type Person, verifyUserPhone, registerPerson, setPassword } from './users.server.ts'
import { type CodeRequester, type IdentityDeps, knownBrowserOf, type TooMany } from './request-code.server.ts'
import { reauthenticate, type SignedInUser } from './sessions.server.ts'

/** The result of a valid code. */
export type VerifiedCode =
  | { kind: 'entered'; entry: Entry }
  /** The signed-in user is authenticated again, or has the new number. */
  | { kind: 'confirmed' | 'moved'; nextPath: string }
  /** The number is verified, but it has no account, or another account has it, or its account is disabled. */
  | { kind: 'no-account' | 'taken' | 'closed' }

export type ProofResult = { ok: true; verified: VerifiedCode } | { ok: false; reason: 'wrong' | 'expired' } | TooMany

export interface Proof extends CodeRequester {
  token: string
  /** The challenge of the token. */
  challenge: Challenge
  code: string
  userAgent: string
  /** The new password, if one is set. */
  password?: string
  user: SignedInUser | null
  /** The effect of a verified phone on its order, in the transaction of the code. */
  extendOrder(tx: Db, order: { id: number; phone: string }, now: Date): Promise<void>
}

/**
 * Verifies a code and completes its challenge, once. The attempt is counted before the code is compared. A new password is hashed only after
 * a valid code.
 */
export async function verifyCode(deps: IdentityDeps, proof: Proof): Promise<ProofResult> {
  const { db, env } = deps
  const now = deps.now()
  const phone = proof.challenge.phone ?? ''
  const known = env.rateLimit ? await knownBrowserOf(deps, proof, { ...proof.challenge, phone }) : null
  const chain = !env.rateLimit ? [] : known ? knownWrongCodes(known) : wrongCodes(phone, proof.ip)
  const limited = await countChain(db, chain, now)
  if (limited) return { ok: false, reason: 'too-many', retryAfter: limited.retryAfter }
  const result = proof.password === undefined ? await prove(deps, proof, now) : await proveAndHash(deps, proof, proof.password, now)
  // Only wrong codes count against the number.
  if (result.ok || result.reason === 'expired') await uncountChain(db, chain, now)
  return result
}

type Failed = { ok: false; reason: 'wrong' | 'expired' }

/** Verifies and completes in one transaction. */
async function prove(deps: IdentityDeps, proof: Proof, now: Date): Promise<ProofResult> {
  return inTransaction(deps.db, async (tx): Promise<ProofResult> => {
    const tried = await tryCode(tx, deps, proof, now)
    if (!tried.ok) return tried
    await endChallenge(tx, tried.challenge.id, now)
    return { ok: true, verified: await finish(tx, tried.challenge, proof, null, now) }
  })
}

/** Uses two transactions, so that no row is locked while the password is hashed. Of concurrent valid codes one completes the challenge. */
async function proveAndHash(deps: IdentityDeps, proof: Proof, password: string, now: Date): Promise<ProofResult> {
  const tried = await inTransaction(deps.db, (tx) => tryCode(tx, deps, proof, now))
  if (!tried.ok) return tried
  const passwordHash = await hashPassword(password)
  return inTransaction(deps.db, async (tx): Promise<ProofResult> => {
    if (!(await endChallenge(tx, tried.challenge.id, now))) return { ok: false, reason: 'expired' }
    return { ok: true, verified: await finish(tx, tried.challenge, proof, passwordHash, now) }
  })
}

async function tryCode(tx: Db, { env }: IdentityDeps, proof: Proof, now: Date): Promise<{ ok: true; challenge: Challenge } | Failed> {
  const code = readCode(proof.code)
  const challenge = await countChallengeAttempt(tx, proof.token, now)
  if (!challenge || challenge.id !== proof.challenge.id) return { ok: false, reason: 'expired' }
  const isValid = code !== null && isCodeOf(challenge, env.sessionSecret, proof.token, code)
  return isValid ? { ok: true, challenge } : { ok: false, reason: 'wrong' }
}

async function finish(tx: Db, challenge: Challenge, proof: Proof, passwordHash: string | null, now: Date): Promise<VerifiedCode> {
  const phone = challenge.phone ?? ''
  switch (challenge.purpose) {
    case 'register':
      return signIn(tx, await registerPerson(tx, phone, challenge.details, { now, ip: proof.ip }), challenge, proof, now)
    case 'sign-in':
      return signInByCode(tx, challenge, proof, phone, now)
    case 'new-password': {
      const person = await verifyUserPhone(tx, phone, now)
      if (!person || person.isDisabled || passwordHash === null) return signIn(tx, person, challenge, proof, now)
      await setPassword(tx, person, passwordHash, proof.ip)
      return signIn(tx, { ...person, passwordHash }, challenge, proof, now)
    }
    case 'confirm':
      await reauthenticate(tx, ownSession(challenge, proof), now)
      return { kind: 'confirmed', nextPath: challenge.nextPath }
    case 'new-phone':
      return movePhone(tx, challenge, proof, phone, now)
    case 'order-phone':
      await proof.extendOrder(tx, { id: challenge.details.orderId ?? 0, phone }, now)
      return { kind: 'confirmed', nextPath: challenge.nextPath }
    case 'second-factor':
    case 'first-password':
      throw new Error(`${challenge.purpose} is not verified by SMS`)
  }
}

async function signIn(tx: Db, person: Person | null, challenge: Challenge, proof: Proof, now: Date): Promise<VerifiedCode> {
  if (person === null) return { kind: 'no-account' }
  if (person.isDisabled) return { kind: 'closed' }
  const { ip, userAgent } = proof
  return {
    kind: 'entered',
    entry: await completeSignIn(tx, person, { ip, userAgent, now, nextPath: challenge.nextPath, passwordOnce: false }),
  }
}

/** Signs in the holder of the phone. A number without an account becomes that of a new customer, who is asked for the name once. */
async function signInByCode(tx: Db, challenge: Challenge, proof: Proof, phone: string, now: Date): Promise<VerifiedCode> {
  if (isAdminPath(challenge.nextPath)) return signIn(tx, await verifyUserPhone(tx, phone, now), challenge, proof, now)
  const person = await findOrCreateUser(tx, { name: translate(proof.lang)('auth.unnamed'), phone }, now)
  const isNameMissing = !person.isPhoneVerified && givenName(person.name) === ''
  return signIn(tx, person, isNameMissing ? { ...challenge, nextPath: askNamePath(challenge.nextPath) } : challenge, proof, now)
}

/** The session of the challenge's user. Throws when another user enters the code. */
function ownSession(challenge: Challenge, { user }: Proof): number {
  if (!user || user.id !== challenge.userId) throw new Error('the code belongs to another user')
  return user.session.id
}

async function movePhone(tx: Db, challenge: Challenge, proof: Proof, phone: string, now: Date): Promise<VerifiedCode> {
  const sessionId = ownSession(challenge, proof)
  const person = await findPerson(tx, challenge.userId ?? 0)
  if (!person) return { kind: 'closed' }
  try {
    if (!(await inTransaction(tx, (step) => changePhone(step, person.id, phone, sessionId, now)))) return { kind: 'taken' }
  } catch (error) {
    // A concurrent request took the number, or the guest's rows conflict with those of the account.
    if (constraintOf(error) === null) throw error
    return { kind: 'taken' }
  }
  if (person.phone !== phone) {
    await auditOwnChange(tx, { ...person, ip: proof.ip }, { phone: person.phone }, { phone })
    const text = translate(proof.lang)('auth.sms-moved', { phone: maskPhone(phone) })
    await queueSms(tx, { purpose: 'order', event: 'phone-changed', phone: person.phone, text })
  }
  return { kind: 'moved', nextPath: challenge.nextPath }
}
