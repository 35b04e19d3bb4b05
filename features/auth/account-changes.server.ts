import { sql } from 'kysely'
import { type Db, inTransaction } from '#lib/db.server.ts'
import { type Challenge, endChallenge, takeTry } from './challenges.server.ts'
import { enter, type Entry } from './enter.server.ts'
import { isPassword } from './passwords.server.ts'
import { findPerson, setPassword } from './people.server.ts'
import { tooManyTries } from './commands.server.ts'
import { freshenSession, openSession, type SessionStart, type SignedInUser } from './sessions.server.ts'
import type { TooMany } from './request-code.server.ts'

/** The signed-in person shows the password again, so that what matters may be changed for a while. */
export async function confirmByPassword(
  db: Db,
  limited: boolean,
  { user, password, ip, now }: { user: SignedInUser; password: string; ip: string; now: Date },
): Promise<{ ok: true } | { ok: false; reason: 'wrong' } | TooMany> {
  const wait = limited ? await tooManyTries(db, `confirm:${user.id}`, { ip, now }) : 0
  if (wait > 0) return { ok: false, reason: 'too-many', retryAfter: wait }
  const person = await findPerson(db, user.id)
  if (!(await isPassword(person?.passwordHash ?? null, password))) return { ok: false, reason: 'wrong' }
  await freshenSession(db, user.session.id, now)
  return { ok: true }
}

/** A new password: every session of the person ends, and this browser gets a new one. */
export async function changePassword(
  db: Db,
  user: SignedInUser,
  passwordHash: string,
  from: SessionStart,
): Promise<{ token: string; expiresAt: Date }> {
  return inTransaction(db, async (tx) => {
    await setPassword(tx, user.id, passwordHash)
    return openSession(tx, user, from)
  })
}

/** The email one signs in with, beside the phone; null for none. */
export async function changeEmail(db: Db, userId: number, email: string | null, now: Date): Promise<void> {
  await sql`update users set email = ${email}, email_at = ${email === null ? null : now} where id = ${userId} and email is distinct from ${email}`.execute(
    db,
  )
}

/** An own password in place of the one that somebody else gave; the person is signed in with it. Null when the time for it is over. */
export async function chooseFirstPassword(
  db: Db,
  { token, challenge, passwordHash, ...from }: { token: string; challenge: Challenge; passwordHash: string } & SessionStart,
): Promise<Entry | null> {
  return inTransaction(db, async (tx) => {
    const taken = await takeTry(tx, token, from.now)
    if (taken?.purpose !== 'first-password' || taken.id !== challenge.id) return null
    const person = await findPerson(tx, taken.userId ?? 0)
    if (!person) return null
    await endChallenge(tx, taken.id, from.now)
    await setPassword(tx, person.id, passwordHash)
    return enter(tx, person, { ...from, nextPath: taken.nextPath, passwordOnce: false, factorShown: true })
  })
}
