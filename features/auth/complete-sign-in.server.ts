import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { openChallenge } from './challenges.server.ts'
import type { SignedAccount } from './known-browser.server.ts'
import { isUnchanged, type Person } from './users.server.ts'
import { openSession, type Role, type SessionStart } from './sessions.server.ts'

/** A new session, or the step that is still missing: the second factor, or an own password. */
export type Entry =
  | {
      kind: 'session'
      user: { id: number; name: string; role: Role }
      token: string
      expiresAt: Date
      nextPath: string
      /** The account that the browser's cookie of known accounts gets. */
      account: SignedAccount
    }
  | { kind: 'second-factor' | 'first-password'; user: { id: number }; token: string }

interface Entering extends SessionStart {
  nextPath: string
  /** The user signed in with a one-time password. */
  passwordOnce: boolean
  /** The second factor has been verified. */
  factorShown?: boolean
}

/** Creates a session for a user whose password or phone is verified, or a challenge for the missing step. */
export async function completeSignIn(db: Db, person: Person, from: Entering): Promise<Entry> {
  const { now, nextPath, passwordOnce } = from
  const [user, about] = [{ id: person.id }, { userId: person.id, nextPath, now }]
  if (!from.factorShown && (await hasSecondFactor(db, person.id)))
    return {
      kind: 'second-factor',
      user,
      token: await openChallenge(db, { ...about, purpose: 'second-factor', details: { passwordOnce } }),
    }
  if (passwordOnce) return { kind: 'first-password', user, token: await openChallenge(db, { ...about, purpose: 'first-password' }) }
  const { id, name, role, passwordHash } = person
  return { kind: 'session', user: { id, name, role }, ...(await openSession(db, person, from)), nextPath, account: { id, passwordHash } }
}

/** The same after a password that was compared before this call. Null when the account has changed meanwhile. */
export function completePasswordSignIn(db: Db, person: Person, from: Entering): Promise<Entry | null> {
  return inTransaction(db, async (tx) => ((await isUnchanged(tx, person)) ? completeSignIn(tx, person, from) : null))
}

/** Whether the user has a second factor, confirmed by a code. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const factors = db.selectFrom('second_factors').where('user_id', '=', userId).where('confirmed_at', 'is not', null)
  return (await factors.select('user_id').executeTakeFirst()) !== undefined
}
