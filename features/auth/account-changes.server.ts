import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { type Challenge, endChallenge, countChallengeAttempt } from './challenges.server.ts'
import { countChain, uncountChain } from './attempt-chain.server.ts'
import { enter, type Entry } from './complete-sign-in.server.ts'
import type { SignedAccount } from './known-browser.server.ts'
import { confirmTries, passwordChanges } from './limits.server.ts'
import { expectRoomToHash, hashPassword, isPassword } from './passwords.server.ts'
import { findPerson, setPassword } from './users.server.ts'
import { reauthenticate, openSession, type SessionStart, type SignedInUser } from './sessions.server.ts'
import type { IdentityDeps, TooMany } from './request-code.server.ts'

/** The signed-in person shows the password again, so that what matters may be changed for a while. */
export async function confirmByPassword(
  { db, env }: Pick<IdentityDeps, 'db' | 'env'>,
  { user, password, now }: { user: SignedInUser; password: string; now: Date },
): Promise<{ ok: true } | { ok: false; reason: 'wrong' } | TooMany> {
  expectRoomToHash('check')
  const chain = env.rateLimit ? confirmTries(user.id) : []
  const refused = await countChain(db, chain, now)
  if (refused) return { ok: false, reason: 'too-many', retryAfter: refused.retryAfter }
  const person = await findPerson(db, user.id)
  if (!(await isPassword(person?.passwordHash ?? null, password))) return { ok: false, reason: 'wrong' }
  await uncountChain(db, chain, now)
  await reauthenticate(db, user.session.id, now)
  return { ok: true }
}

/** A new password: every session of the person ends, and this browser gets a new one and is the only one that the account knows. */
export async function changePassword(
  { db, env }: Pick<IdentityDeps, 'db' | 'env'>,
  user: SignedInUser,
  password: string,
  from: SessionStart,
): Promise<{ ok: true; session: { token: string; expiresAt: Date }; account: SignedAccount } | TooMany> {
  expectRoomToHash('new')
  const refused = await countChain(db, env.rateLimit ? passwordChanges(user.id) : [], from.now)
  if (refused) return { ok: false, reason: 'too-many', retryAfter: refused.retryAfter }
  const passwordHash = await hashPassword(password)
  const session = await inTransaction(db, async (tx) => {
    await setPassword(tx, user.id, passwordHash)
    return openSession(tx, user, from)
  })
  return { ok: true, session, account: { id: user.id, passwordHash } }
}

/** An email to sign in with, beside the phone; null for none. */
export async function changeEmail(db: Db, userId: number, email: string | null, now: Date): Promise<void> {
  await sql`update users set email = ${email}, email_at = ${email === null ? null : now} where id = ${userId} and email is distinct from ${email}`.execute(
    db,
  )
}

/** Changes the name of the account. Orders already placed keep the name they were given. */
export async function changeName(db: Db, userId: number, name: string): Promise<void> {
  await sql`update users set name = ${name} where id = ${userId} and name <> ${name}`.execute(db)
}

/**
 * An own password in place of the one that somebody else gave; the person is signed in with it. A try is counted before it is hashed. Null when
 * the time for it is over.
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
    await setPassword(tx, person.id, passwordHash)
    return enter(tx, { ...person, passwordHash }, { ...from, nextPath: taken.nextPath, passwordOnce: false, factorShown: true })
  })
}
