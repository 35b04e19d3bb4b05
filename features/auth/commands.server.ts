import { normalizePhone } from '#lib/format/phone.ts'
import { type Attempt, countChain, uncountChain, whileCounted } from './attempt-chain.server.ts'
import { enter, type Entry } from './complete-sign-in.server.ts'
import { recognizeBrowser } from './known-browser.server.ts'
import { factorFirstTries, knownPasswordTries, passwordTries } from './limits.server.ts'
import { expectRoomToHash, isPassword } from './passwords.server.ts'
import { listSignInCandidates, MAX_ACCOUNTS_OF_AN_EMAIL, type Person } from './users.server.ts'
import type { IdentityDeps, TooMany } from './request-code.server.ts'
import { findBySecondFactor } from './second-factor.server.ts'
import type { SessionStart } from './sessions.server.ts'

export type SignInResult = { ok: true; entry: Entry } | { ok: false; reason: 'wrong' } | TooMany

export interface SignIn extends SessionStart {
  identifier: string
  password: string
  /** A code of the authenticator, to be let past a full limit. */
  code: string
  nextPath: string
  /** The cookie of accounts that this browser has signed in to. */
  knownCookie: string | null
}

/**
 * Signs a person in by phone or email and password; a wrong account and a wrong password look the same. Tries are counted before anything is
 * hashed, the right ones taken back. A browser that the account knows has tries of its own, and a right second factor opens a full limit.
 */
export async function signIn(deps: IdentityDeps, form: SignIn): Promise<SignInResult> {
  expectRoomToHash('check')
  const phone = normalizePhone(form.identifier)
  const email = form.identifier.trim().toLowerCase().slice(0, 255)
  const people = await listSignInCandidates(deps.db, phone ? { phone } : { email })
  const attempt = new SignInAttempt(deps, form, { identifier: phone ?? email, checks: phone ? 1 : MAX_ACCOUNTS_OF_AN_EMAIL })
  return attempt.among(people)
}

/** One try at the accounts of an identifier. */
class SignInAttempt {
  readonly #deps: IdentityDeps
  readonly #form: SignIn
  readonly #identifier: string
  /** Passwords still to be compared: always as many, whether accounts are there or not. */
  #checksLeft: number

  constructor(deps: IdentityDeps, form: SignIn, { identifier, checks }: { identifier: string; checks: number }) {
    this.#deps = deps
    this.#form = form
    this.#identifier = identifier
    this.#checksLeft = checks
  }

  async among(people: readonly Person[]): Promise<SignInResult> {
    const { env } = this.#deps
    const { knownCookie, ip, now } = this.#form
    let tooMany: TooMany | null = null
    const strange: Person[] = []
    for (const person of people) {
      const browser = recognizeBrowser(env.sessionSecret, knownCookie, person, now)
      if (browser === null) strange.push(person)
      else {
        const result = await this.#check(knownPasswordTries(browser), [person])
        if (result?.ok) return result
        tooMany ??= result
      }
    }
    // An account that knows this browser is not tried a second time as if it did not.
    if (strange.length > 0 || people.length === 0) {
      const result = await this.#check(passwordTries(this.#identifier, ip), strange)
      if (result?.ok) return result
      tooMany = result
    }
    return tooMany ? this.#pastFullLimit(tooMany, people) : this.#wrong()
  }

  /** Counts a try and compares the password with those of the people; null when it is nobody's. */
  async #check(chain: readonly Attempt[], people: readonly Person[]): Promise<{ ok: true; entry: Entry } | TooMany | null> {
    const { db, env } = this.#deps
    const { now } = this.#form
    const limits = env.rateLimit ? chain : []
    const refused = await countChain(db, limits, now)
    if (refused) return { ok: false, reason: 'too-many', retryAfter: refused.retryAfter }
    const person = await whileCounted(db, limits, now, () => this.#whosePassword(people))
    if (!person) return null
    await uncountChain(db, limits, now)
    return { ok: true, entry: await enter(db, person, { ...this.#form, passwordOnce: person.passwordOnce }) }
  }

  /** A right second factor first, then the password: without the authenticator nobody guesses on. */
  async #pastFullLimit(tooMany: TooMany, people: readonly Person[]): Promise<SignInResult> {
    const { db } = this.#deps
    const { code, ip, now } = this.#form
    if (code.trim() === '' || (await countChain(db, factorFirstTries(this.#identifier, ip), now))) return tooMany
    const shown = await findBySecondFactor(this.#deps, people, code)
    if (!shown) return tooMany
    const person = await this.#whosePassword([shown])
    if (!person) return this.#wrong()
    return { ok: true, entry: await enter(db, person, { ...this.#form, passwordOnce: person.passwordOnce, factorShown: true }) }
  }

  async #whosePassword(people: readonly Person[]): Promise<Person | null> {
    for (const person of people) {
      this.#checksLeft -= 1
      if (await isPassword(person.passwordHash, this.#form.password)) return person
    }
    return null
  }

  /** Compares with nothing until as many passwords are compared as for any other identifier of its kind. */
  async #wrong(): Promise<SignInResult> {
    while (this.#checksLeft-- > 0) await isPassword(null, this.#form.password)
    return { ok: false, reason: 'wrong' }
  }
}
