import { normalizePhone } from '#lib/format/phone.ts'
import { sanitizeText } from '#lib/format/text.ts'
import { type CountedAttempt, countChain, uncountChain, whileCounted } from './attempts.server.ts'
import { completePasswordSignIn, type Entry } from './complete-sign-in.server.ts'
import { recognizeBrowser } from './known-browser.server.ts'
import { factorFirstTries, knownPasswordTries, passwordChecks, passwordTries } from './limits.server.ts'
import { expectRoomToHash, isPassword } from './passwords.server.ts'
import { listSignInCandidates, MAX_ACCOUNTS_OF_AN_EMAIL, type Person } from './users.server.ts'
import type { IdentityDeps, TooMany } from './request-code.server.ts'
import { findBySecondFactor } from './second-factor.server.ts'
import type { SessionStart } from './sessions.server.ts'

export type SignInResult = { ok: true; entry: Entry } | { ok: false; reason: 'wrong' } | TooMany

export interface SignIn extends SessionStart {
  identifier: string
  password: string
  /** A code of the authenticator, which allows an attempt beyond the limit. */
  code: string
  nextPath: string
  /** The cookie of accounts that this browser has signed in to. */
  knownCookie: string | null
}

/**
 * Signs a user in by phone or email and password. Unknown accounts and wrong passwords give the same response. Attempts are counted before
 * hashing; successful ones are uncounted where wrong ones count. A known browser has its own limit, and a valid second factor allows an
 * attempt beyond the limit.
 */
export async function signIn(deps: IdentityDeps, form: SignIn): Promise<SignInResult> {
  expectRoomToHash('check')
  const phone = normalizePhone(form.identifier)
  // In the form in which `readEmail` stores it: a pasted one may have direction marks around it.
  const email = sanitizeText(form.identifier).toLowerCase().slice(0, 255)
  const people = await listSignInCandidates(deps.db, phone ? { phone } : { email })
  const attempt = new SignInAttempt(deps, form, { identifier: phone ?? email, checks: phone ? 1 : MAX_ACCOUNTS_OF_AN_EMAIL })
  return attempt.run(people)
}

/** One attempt at the accounts of an identifier. */
class SignInAttempt {
  readonly #deps: IdentityDeps
  readonly #form: SignIn
  readonly #identifier: string
  /** Comparisons still to be made. Their number does not depend on the accounts, so timing reveals nothing. */
  #checksLeft: number

  constructor(deps: IdentityDeps, form: SignIn, { identifier, checks }: { identifier: string; checks: number }) {
    this.#deps = deps
    this.#form = form
    this.#identifier = identifier
    this.#checksLeft = checks
  }

  async run(people: readonly Person[]): Promise<SignInResult> {
    const { env } = this.#deps
    const { knownCookie, ip, now } = this.#form
    let tooMany: TooMany | null = null
    const unknown: Person[] = []
    for (const person of people) {
      const browser = recognizeBrowser(env.sessionSecret, knownCookie, person, now)
      if (browser === null) unknown.push(person)
      else {
        const result = await this.#check(knownPasswordTries(browser), passwordChecks(browser), [person])
        if (result?.ok) return result
        tooMany ??= result
      }
    }
    // Accounts that know this browser were checked above.
    if (unknown.length > 0 || people.length === 0) {
      const result = await this.#check(passwordTries(this.#identifier, ip), passwordChecks({ identifier: this.#identifier, ip }), unknown)
      if (result?.ok) return result
      tooMany = result
    }
    return tooMany ? this.#checkBeyondLimit(tooMany, people) : this.#wrong()
  }

  /** Counts an attempt and compares the password with those of the accounts; null when none matches. A success is uncounted in `tries`. */
  async #check(
    tries: readonly CountedAttempt[],
    checks: readonly CountedAttempt[],
    people: readonly Person[],
  ): Promise<{ ok: true; entry: Entry } | TooMany | null> {
    const { db, env } = this.#deps
    const { now } = this.#form
    const limits = env.rateLimit ? [...tries, ...checks] : []
    const limited = await countChain(db, limits, now)
    if (limited) return { ok: false, reason: 'too-many', retryAfter: limited.retryAfter }
    const person = await whileCounted(db, limits, now, () => this.#findByPassword(people))
    const entry = person && (await completePasswordSignIn(db, person, { ...this.#form, passwordOnce: person.passwordOnce }))
    if (!entry) return null
    if (env.rateLimit) await uncountChain(db, tries, now)
    return { ok: true, entry }
  }

  /** Verifies the second factor before the password, so that guessing requires the authenticator. */
  async #checkBeyondLimit(tooMany: TooMany, people: readonly Person[]): Promise<SignInResult> {
    const { db } = this.#deps
    const { code, ip, now } = this.#form
    if (code.trim() === '' || (await countChain(db, factorFirstTries(this.#identifier, ip), now))) return tooMany
    const candidate = await findBySecondFactor(this.#deps, people, code)
    if (!candidate) return tooMany
    const person = await this.#findByPassword([candidate])
    const from = { ...this.#form, passwordOnce: candidate.passwordOnce, factorShown: true }
    const entry = person && (await completePasswordSignIn(db, person, from))
    return entry ? { ok: true, entry } : this.#wrong()
  }

  async #findByPassword(people: readonly Person[]): Promise<Person | null> {
    for (const person of people) {
      this.#checksLeft -= 1
      if (await isPassword(person.passwordHash, this.#form.password)) return person
    }
    return null
  }

  /** Makes the remaining comparisons against a decoy, so that all failures take the same time. */
  async #wrong(): Promise<SignInResult> {
    while (this.#checksLeft-- > 0) await isPassword(null, this.#form.password)
    return { ok: false, reason: 'wrong' }
  }
}
