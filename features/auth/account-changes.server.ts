import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { auditOwnChange } from './audit-own-change.server.ts'
import { type Challenge, endChallenge, countChallengeAttempt } from './challenges.server.ts'
import { countChain, uncountChain } from './attempts.server.ts'
import { completeSignIn, type Entry } from './complete-sign-in.server.ts'
import type { SignedAccount } from './known-browser.server.ts'
import { confirmChecks, confirmTries, passwordChanges } from './limits.server.ts'
import { expectRoomToHash, hashPassword, isPassword } from './passwords.server.ts'
import { findPerson, setPassword } from './users.server.ts'
import { lockOwnSession, reauthenticate, openSession, type SessionStart, type SignedInUser } from './sessions.server.ts'
import type { IdentityDeps, TooMany } from './request-code.server.ts'

/** Verifies the password of a signed-in user again. For some minutes the user may then change the account. */
export async function confirmByPassword(
  { db, env }: Pick<IdentityDeps, 'db' | 'env'>,
  { user, password, now }: { user: SignedInUser; password: string; now: Date },
): Promise<{ ok: true } | { ok: false; reason: 'wrong' } | TooMany> {
  expectRoomToHash('check')
  const tries = env.rateLimit ? confirmTries(user.id) : []
  const limited = await countChain(db, env.rateLimit ? [...tries, ...confirmChecks(user.id)] : [], now)
  if (limited) return { ok: false, reason: 'too-many', retryAfter: limited.retryAfter }
  const person = await findPerson(db, user.id)
  if (!(await isPassword(person?.passwordHash ?? null, password))) return { ok: false, reason: 'wrong' }
  await uncountChain(db, tries, now)
  await reauthenticate(db, user.session.id, now)
  return { ok: true }
}

/**
 * Sets a new password. All sessions end; this browser gets a new one, and is the only known browser of the account. `ended`: the session ended
 * while the password was hashed, by an owner who replaced the password for example.
 */
export async function changePassword(
  { db, env }: Pick<IdentityDeps, 'db' | 'env'>,
  user: SignedInUser,
  password: string,
  from: SessionStart,
): Promise<{ ok: true; session: { token: string; expiresAt: Date }; account: SignedAccount } | { ok: false; reason: 'ended' } | TooMany> {
  expectRoomToHash('new')
  const limited = await countChain(db, env.rateLimit ? passwordChanges(user.id) : [], from.now)
  if (limited) return { ok: false, reason: 'too-many', retryAfter: limited.retryAfter }
  const passwordHash = await hashPassword(password)
  const session = await inTransaction(db, async (tx) => {
    if (!(await lockOwnSession(tx, user))) return null
    await setPassword(tx, user, passwordHash, from.ip)
    return openSession(tx, user, from)
  })
  if (!session) return { ok: false, reason: 'ended' }
  return { ok: true, session, account: { id: user.id, passwordHash } }
}

/** Sets the email that the user may sign in with besides the phone; null for none. Does nothing once the session has ended. */
export async function changeEmail(db: Db, user: SignedInUser, email: string | null, { ip, now }: SessionStart): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await lockOwnSession(tx, user)
    if (!before || before.email === email) return
    await tx
      .updateTable('users')
      .set({ email, email_at: email === null ? null : now })
      .where('id', '=', user.id)
      .execute()
    await auditOwnChange(tx, { ...user, ip }, { email: before.email }, { email })
  })
}

/** Changes the name of the account. Orders already placed have the name they were given. Does nothing once the session has ended. */
export async function changeName(db: Db, user: SignedInUser, name: string, ip: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await lockOwnSession(tx, user)
    if (!before || before.name === name) return
    await tx.updateTable('users').set({ name }).where('id', '=', user.id).execute()
    await auditOwnChange(tx, { ...user, ip }, { name: before.name }, { name })
  })
}

/**
 * Replaces a one-time password by the user's own, and signs the user in. The attempt is counted before the password is hashed. Null when
 * the challenge has expired.
 */
export async function chooseFirstPassword(
  db: Db,
  { token, challenge, password, ...from }: { token: string; challenge: Challenge; password: string } & SessionStart,
): Promise<Entry | null> {
  const taken = await countChallengeAttempt(db, token, from.now)
  if (taken?.purpose !== 'first-password' || taken.id !== challenge.id) return null
  const passwordHash = await hashPassword(password)
  return inTransaction(db, async (tx) => {
    const person = await findPerson(tx, taken.userId ?? 0)
    if (!person || !(await endChallenge(tx, taken.id, from.now))) return null
    await setPassword(tx, person, passwordHash, from.ip)
    return completeSignIn(tx, { ...person, passwordHash }, { ...from, nextPath: taken.nextPath, passwordOnce: false, factorShown: true })
  })
}
