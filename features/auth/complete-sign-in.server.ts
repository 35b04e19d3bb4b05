import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { openChallenge } from './challenges.server.ts'
import type { SignedAccount } from './known-browser.server.ts'
import type { Person } from './users.server.ts'
import { openSession, type Role, type SessionStart } from './sessions.server.ts'

/** Who has got in, or what the person must still do: show the second factor, choose an own password. */
export type Entry =
  | {
      kind: 'session'
      user: { id: number; name: string; role: Role }
      token: string
      expiresAt: Date
      nextPath: string
      /** The browser is known to the account from now on. */
      account: SignedAccount
    }
  | { kind: 'second-factor' | 'first-password'; token: string }

interface Entering extends SessionStart {
  nextPath: string
  /** The person came in with a password that somebody else gave. */
  passwordOnce: boolean
  /** The second factor has been shown. */
  factorShown?: boolean
}

/** Lets a person in whose password or phone is proven, or asks for what is still missing. */
export async function enter(db: Db, person: Person, from: Entering): Promise<Entry> {
  const { now, nextPath, passwordOnce } = from
  const about = { userId: person.id, nextPath, now }
  if (!from.factorShown && (await hasSecondFactor(db, person.id)))
    return { kind: 'second-factor', token: await openChallenge(db, { ...about, purpose: 'second-factor', details: { passwordOnce } }) }
  if (passwordOnce) return { kind: 'first-password', token: await openChallenge(db, { ...about, purpose: 'first-password' }) }
  const { id, name, role, passwordHash } = person
  return { kind: 'session', user: { id, name, role }, ...(await openSession(db, person, from)), nextPath, account: { id, passwordHash } }
}

async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from second_factors where user_id = ${userId} and confirmed_at is not null`.execute(db)
  return rows.length > 0
}
