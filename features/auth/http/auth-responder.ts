import type { FastifyReply, FastifyRequest } from 'fastify'
import { endOrderAccess } from '#features/orders/order-access-token.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { DAY_SECONDS } from '#lib/format/time.ts'
import { isHttps } from '#lib/http/is-https.ts'
import { isForm } from '#lib/http/request-kind.server.ts'
import { readCookie } from '#lib/http/read-cookie.ts'
import { WELCOME_COOKIE } from '#lib/http/welcome-cookie.ts'
import { type MessageKey, textByKey } from '#lib/i18n/translate.ts'
import { REQUEST_MINUTES } from '../code-rules.ts'
import type { Entry } from '../complete-sign-in.server.ts'
import { challengeCookie, knownBrowserCookie, LEGACY_ORDER_ACCESS_COOKIE, orderAccessCookie, sessionCookie } from '../cookies.ts'
import { KNOWN_BROWSER_DAYS, type SignedAccount, rememberAccount } from '../known-browser.server.ts'
import { HashingBusyError } from '../passwords.server.ts'
import type { CodeRequester, IdentityDeps, NoSms, TooMany } from '../request-code.server.ts'
import type { Proof } from '../verify-code.server.ts'
import { closeSession, type Role, type SessionStart, type SignedInUser } from '../sessions.server.ts'

/** A page opened later does not announce the login. */
const WELCOME_SECONDS = 60

/** What the authentication routes need of the server. */
export interface AuthHttpDeps extends IdentityDeps {
  readSettings(): Promise<Settings>
  /** Loads what a verified phone does for its order. The returned function runs in the transaction of the code. */
  orderExtension(): Promise<Proof['extendOrder']>
}

/** Renders a page as the reply. */
export interface AuthPages {
  sendForm(
    request: FastifyRequest,
    reply: FastifyReply,
    page: string,
    data: { status: number; props: object; head: { title: string; endsWithShop: true; canonical: null } },
  ): Promise<FastifyReply>
}

/** Why a form was rejected: errors by field, and a summary. */
export interface FormErrors {
  status: 403 | 409 | 410 | 422 | 429 | 503
  /** The summary above the form, and the message of a JSON reply. */
  key: MessageKey
  errors?: Record<string, MessageKey>
  retryAfter?: number
}

/** A submission with invalid fields. */
export const invalid = (errors: Record<string, MessageKey>): FormErrors => ({ status: 422, key: 'error.invalid', errors })

export const tooManyCodes = (retryAfter: number): FormErrors => ({ status: 429, key: 'auth.too-many-codes', retryAfter })

/** Why no code is sent. */
export const codeErrors = (result: TooMany | NoSms): FormErrors =>
  result.reason === 'no-sms' ? { status: 503, key: 'auth.no-sms' } : tooManyCodes(result.retryAfter)

export const tooManyTries = (retryAfter: number): FormErrors => ({ status: 429, key: 'error.too-many', retryAfter })

/** The page of a form, with the values as they were submitted. */
export interface FormPage {
  page: string
  title: MessageKey
  props: object
}

/** Replies of the authentication routes: pages and redirects to forms, JSON to scripts. Both get the same cookies. */
export class AuthResponder {
  readonly deps: AuthHttpDeps
  readonly #pages: AuthPages
  readonly #session: string
  readonly #challenge: string
  readonly #known: string
  readonly #orderAccess: string
  readonly #cookie: { path: string; sameSite: 'lax'; secure: boolean; httpOnly: boolean }

  constructor(deps: AuthHttpDeps, pages: AuthPages) {
    const secure = isHttps(deps.env.publicUrl)
    this.deps = deps
    this.#pages = pages
    this.#session = sessionCookie(secure)
    this.#challenge = challengeCookie(secure)
    this.#known = knownBrowserCookie(secure)
    this.#orderAccess = orderAccessCookie(secure)
    this.#cookie = { path: '/', sameSite: 'lax', secure, httpOnly: true }
  }

  t(request: FastifyRequest): (key: MessageKey) => string {
    return textByKey(request.viewer.lang)
  }

  /** The request's client as a new session stores it. */
  sessionStart(request: FastifyRequest): SessionStart {
    return { ip: request.ip, userAgent: request.headers['user-agent'] ?? '', now: this.deps.now() }
  }

  /** The request's client as the limits of SMS codes count it. */
  async codeRequester(request: FastifyRequest): Promise<CodeRequester> {
    const { lang } = request.viewer
    const { messages } = await this.deps.readSettings()
    return { ip: request.ip, lang, knownCookie: this.knownCookie(request), codeText: messages.code[lang] }
  }

  /** The cookie of the accounts that this browser has signed in to, or null. */
  knownCookie(request: FastifyRequest): string | null {
    return readCookie(request.headers.cookie, this.#known)
  }

  /** Adds the account to the cookie of known accounts. */
  setKnownBrowserCookie(request: FastifyRequest, reply: FastifyReply, account: SignedAccount): void {
    const cookie = rememberAccount(this.deps.env.sessionSecret, this.knownCookie(request), account, this.deps.now())
    reply.setCookie(this.#known, cookie, { ...this.#cookie, maxAge: KNOWN_BROWSER_DAYS * DAY_SECONDS })
  }

  /** The token of the pending challenge, or null. */
  challenge(request: FastifyRequest): string | null {
    return readCookie(request.headers.cookie, this.#challenge)
  }

  /** Redirects a form; sends a script the path in `redirect`, with `more` beside it. */
  redirect(request: FastifyRequest, reply: FastifyReply, redirect: string, more: object = {}): FastifyReply {
    reply.header('cache-control', 'no-store')
    return isForm(request) ? reply.redirect(redirect, 303) : reply.send({ ...more, redirect })
  }

  /** Stores the challenge's token in the browser and redirects to the code page. */
  startChallenge(request: FastifyRequest, reply: FastifyReply, token: string): FastifyReply {
    reply.setCookie(this.#challenge, token, { ...this.#cookie, maxAge: REQUEST_MINUTES * 60 })
    return this.redirect(request, reply, '/code')
  }

  clearChallenge(reply: FastifyReply): void {
    reply.clearCookie(this.#challenge, this.#cookie)
  }

  /** Opens a session in place of the browser's old one, or starts the next challenge. */
  async signInAndRedirect(request: FastifyRequest, reply: FastifyReply, entry: Entry): Promise<FastifyReply> {
    if (entry.kind !== 'session') return this.startChallenge(request, reply, entry.token)
    await this.#closeOldSession(request, entry.user.id)
    const former = request.viewer.user ?? request.viewer.locked
    if (former && former.id !== entry.user.id) this.clearOrderAccess(reply)
    this.setSessionCookie(reply, entry)
    this.setKnownBrowserCookie(request, reply, entry.account)
    this.clearChallenge(reply)
    const { user, nextPath } = entry
    if (user.role === 'customer') this.setWelcomeCookie(reply)
    return this.redirect(request, reply, nextPath || (await this.#firstPage(user.role)), { user })
  }

  /** Lets the next page confirm the login by name. */
  setWelcomeCookie(reply: FastifyReply): void {
    reply.setCookie(WELCOME_COOKIE, '1', { ...this.#cookie, httpOnly: false, maxAge: WELCOME_SECONDS })
  }

  /** An owner whose shop is not open yet goes on with the set-up. */
  async #firstPage(role: Role): Promise<string> {
    if (role === 'customer') return '/'
    return role === 'owner' && !(await this.deps.readSettings()).opening.isOpen ? '/admin/setup' : '/admin'
  }

  async #closeOldSession(request: FastifyRequest, next?: number): Promise<void> {
    const token = readCookie(request.headers.cookie, this.#session)
    if (token) await closeSession(this.deps.db, token, next)
  }

  setSessionCookie(reply: FastifyReply, { token, expiresAt }: { token: string; expiresAt: Date }): void {
    reply.setCookie(this.#session, token, { ...this.#cookie, expires: expiresAt })
  }

  /** Ends the session, and all else by which this browser shows orders and the phone of its user to the next one. */
  async endSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#closeOldSession(request)
    reply.clearCookie(this.#session, this.#cookie)
    this.clearChallenge(reply)
    this.clearOrderAccess(reply)
  }

  /** Ends what the other browsers of a user show of the orders placed with the account. */
  endOrderAccessElsewhere({ viewer }: FastifyRequest, userId: number): Promise<void> {
    return endOrderAccess(this.deps.db, userId, viewer.browser)
  }

  /** Takes the orders placed by a former user out of this browser. */
  clearOrderAccess(reply: FastifyReply): void {
    for (const name of new Set([this.#orderAccess, LEGACY_ORDER_ACCESS_COOKIE])) reply.clearCookie(name, this.#cookie)
  }

  /** Rejects a submission: a script gets JSON, a form its page with the submitted values. */
  async renderFormErrors(request: FastifyRequest, reply: FastifyReply, problems: FormErrors, form: FormPage): Promise<FastifyReply> {
    const t = this.t(request)
    const errors = Object.fromEntries(Object.entries(problems.errors ?? {}).map(([field, key]) => [field, t(key)]))
    const { status, key, retryAfter } = problems
    if (!isForm(request)) {
      const listed = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]))
      const details = status === 422 ? { errors: listed } : {}
      return reply.fail(status, key, retryAfter === undefined ? details : { ...details, retryAfterSeconds: retryAfter })
    }
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    reply.header('cache-control', 'no-store')
    // An error beside its field is not repeated in the summary.
    const problem = Object.keys(errors).length > 0 ? null : t(key)
    return this.renderForm(request, reply, { ...form, props: { ...form.props, errors, problem } }, status)
  }

  /** Runs work that hashes a password. A full hashing queue sends the form back with 503. */
  async withHashing(
    request: FastifyRequest,
    reply: FastifyReply,
    form: FormPage,
    work: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HashingBusyError)) throw error
      return this.renderFormErrors(request, reply, { status: 503, key: 'auth.busy', retryAfter: error.retryAfterSeconds }, form)
    }
  }

  async renderForm(request: FastifyRequest, reply: FastifyReply, { page, title, props }: FormPage, status = 200): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store')
    return this.#pages.sendForm(request, reply, page, {
      status,
      props,
      head: { title: this.t(request)(title), endsWithShop: true, canonical: null },
    })
  }

  /** The signed-in user. Without one it replies (redirect to the login, or 401) and returns null. */
  requireUser(request: FastifyRequest, reply: FastifyReply, next: string): SignedInUser | null {
    const { user } = request.viewer
    if (user) return user
    void this.requireSignIn(request, reply, next)
    return null
  }

  /** Redirects a form to the login and back; sends a script 401. */
  async requireSignIn(request: FastifyRequest, reply: FastifyReply, next: string): Promise<FastifyReply> {
    if (isForm(request)) return reply.redirect(`/login?next=${encodeURIComponent(next)}`, 303)
    return reply.fail(401, 'error.not-signed-in')
  }
}
