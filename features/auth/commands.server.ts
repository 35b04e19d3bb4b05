import type { Db } from '#lib/db.server.ts'
import { normalisePhone } from '#lib/phone.ts'
import { countAttempt, forgetAttempts } from './attempts.server.ts'
import { enter, type Entry } from './enter.server.ts'
import { isPassword } from './passwords.server.ts'
import { findPersonToSignIn } from './people.server.ts'
import type { SessionStart } from './sessions.server.ts'

export type SignInResult =
  | { ok: true; entry: Entry }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too-many'; retryAfter: number }

export interface SignIn extends SessionStart {
  identifier: string
  password: string
  nextPath: string
}

/** Signs a person in by phone or email and password; a wrong account and a wrong password look the same. */
export async function signIn(db: Db, limited: boolean, form: SignIn): Promise<SignInResult> {
  const phone = normalisePhone(form.identifier)
  const email = form.identifier.trim().toLowerCase().slice(0, 255)
  const accountKey = `sign-in:${phone ?? email}`
  if (limited) {
    const wait = await tooManyTries(db, accountKey, form)
    if (wait > 0) return { ok: false, reason: 'too-many', retryAfter: wait }
  }
  const person = await findPersonToSignIn(db, phone ? { phone } : { email })
  const right = await isPassword(person?.passwordHash ?? null, form.password)
  if (!person || !right) return { ok: false, reason: 'wrong' }
  await forgetAttempts(db, accountKey)
  return { ok: true, entry: await enter(db, person, { ...form, passwordOnce: person.passwordOnce }) }
}

/** Counts a try at an account from an address; the seconds to wait, or 0. */
export async function tooManyTries(db: Db, accountKey: string, { ip, now }: { ip: string; now: Date }): Promise<number> {
  const perAccount = await countAttempt(db, accountKey, { most: 10, windowSeconds: 900 }, now)
  // A whole mobile operator may share one address, so it is counted far above what people do.
  const perAddress = await countAttempt(db, `sign-in-from:${ip}`, { most: 300, windowSeconds: 900 }, now)
  return Math.max(perAccount, perAddress)
}
