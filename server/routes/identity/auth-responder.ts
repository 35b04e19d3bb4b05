import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Entry } from '#features/auth/complete-sign-in.server.ts'
import { KNOWN_BROWSER_DAYS, type SignedAccount, rememberAccount } from '#features/auth/known-browser.server.ts'
import { HashingBusyError } from '#features/auth/passwords.server.ts'
import type { Asker } from '#features/auth/request-code.server.ts'
import { closeSession, type SessionStart, type SignedInUser } from '#features/auth/sessions.server.ts'
import { type MessageKey, translate } from '#lib/i18n/translate.ts'
import { WELCOME_COOKIE } from '#lib/http/welcome-cookie.ts'
import { challengeCookie, knownBrowserCookie, readCookie, sessionCookie } from '#server/cookies.ts'
import type { Deps } from '#server/deps.ts'
import type { PageRenderer } from '#server/page/page-renderer.ts'

const CHALLENGE_SECONDS = 1800
/** A page that is opened later does not tell of the login any more. */
const WELCOME_SECONDS = 60

/** What stands at the fields, and over the form. */
export interface Problems {
  status: 403 | 409 | 410 | 422 | 429 | 503
  /** Over the form, and the message of a call. */
  key: MessageKey
  errors?: Record<string, MessageKey>
  retryAfter?: number
}

/** A form of these pages again, as it was sent, with what is wrong with it. */
export interface FormAgain {
  page: string
  title: MessageKey
  props: object
}

/** How the identity's routes talk to browsers: forms get pages and redirects, calls get JSON; cookies are the same for both. */
export class AuthResponder {
  readonly deps: Deps
  readonly #pages: PageRenderer
  readonly #session: string
  readonly #challenge: string
  readonly #known: string
  readonly #cookie: { path: string; sameSite: 'lax'; secure: boolean; httpOnly: boolean }

  constructor(deps: Deps, pages: PageRenderer) {
    const secure = deps.env.publicUrl.startsWith('https:')
    this.deps = deps
    this.#pages = pages
    this.#session = sessionCookie(secure)
    this.#challenge = challengeCookie(secure)
    this.#known = knownBrowserCookie(secure)
    this.#cookie = { path: '/', sameSite: 'lax', secure, httpOnly: true }
  }

  isForm(request: FastifyRequest): boolean {
    return request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  }

  t(request: FastifyRequest): (key: MessageKey) => string {
    return translate(request.viewer.lang) as (key: MessageKey) => string
  }

  start(request: FastifyRequest): SessionStart {
    return { ip: request.ip, userAgent: request.headers['user-agent'] ?? '', now: this.deps.now() }
  }

  async asker(request: FastifyRequest): Promise<Asker> {
    const { lang } = request.viewer
    const { messages } = await this.deps.facts.settings()
    return { ip: request.ip, lang, knownCookie: this.knownCookie(request), codeText: messages.code[lang] }
  }

  /** The cookie of accounts that this browser has signed in to, or null. */
  knownCookie(request: FastifyRequest): string | null {
    return readCookie(request.headers.cookie, this.#known)
  }

  /** The account knows this browser from now on. */
  setOrderAccessCookie(request: FastifyRequest, reply: FastifyReply, account: SignedAccount): void {
    const cookie = rememberAccount(this.deps.env.sessionSecret, this.knownCookie(request), account, this.deps.now())
    reply.setCookie(this.#known, cookie, { ...this.#cookie, maxAge: KNOWN_BROWSER_DAYS * 86_400 })
  }

  /** The token of what this browser has begun, or null. */
  challenge(request: FastifyRequest): string | null {
    return readCookie(request.headers.cookie, this.#challenge)
  }

  /** Goes on to another page; a call is told which. */
  goOn(request: FastifyRequest, reply: FastifyReply, redirect: string, more: object = {}): FastifyReply {
    reply.header('cache-control', 'no-store')
    return this.isForm(request) ? reply.redirect(redirect, 303) : reply.send({ ...more, redirect })
  }

  /** Remembers in the browser what it has begun, and goes on to where it is proven. */
  begin(request: FastifyRequest, reply: FastifyReply, token: string): FastifyReply {
    reply.setCookie(this.#challenge, token, { ...this.#cookie, maxAge: CHALLENGE_SECONDS })
    return this.goOn(request, reply, '/code')
  }

  forgetChallenge(reply: FastifyReply): void {
    reply.clearCookie(this.#challenge, this.#cookie)
  }

  /** A new session in place of whatever the browser came with, or the next thing that must be proven. */
  async letIn(request: FastifyRequest, reply: FastifyReply, entry: Entry): Promise<FastifyReply> {
    if (entry.kind !== 'session') return this.begin(request, reply, entry.token)
    await this.#closeOld(request)
    this.keepSession(reply, entry)
    this.setOrderAccessCookie(request, reply, entry.account)
    this.forgetChallenge(reply)
    const { user, nextPath } = entry
    if (user.role === 'customer') reply.setCookie(WELCOME_COOKIE, '1', { ...this.#cookie, httpOnly: false, maxAge: WELCOME_SECONDS })
    return this.goOn(request, reply, nextPath || (user.role === 'customer' ? '/' : '/admin'), { user })
  }

  async #closeOld(request: FastifyRequest): Promise<void> {
    const before = readCookie(request.headers.cookie, this.#session)
    if (before) await closeSession(this.deps.db, before)
  }

  keepSession(reply: FastifyReply, { token, expiresAt }: { token: string; expiresAt: Date }): void {
    reply.setCookie(this.#session, token, { ...this.#cookie, expires: expiresAt })
  }

  async endSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await this.#closeOld(request)
    reply.clearCookie(this.#session, this.#cookie)
  }

  /** Refuses: a call in the shop's words, a form with its page as it was sent. */
  async again(request: FastifyRequest, reply: FastifyReply, problems: Problems, form: FormAgain): Promise<FastifyReply> {
    const t = this.t(request)
    const errors = Object.fromEntries(Object.entries(problems.errors ?? {}).map(([field, key]) => [field, t(key)]))
    const { status, key, retryAfter } = problems
    if (!this.isForm(request)) {
      const listed = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]))
      const details = status === 422 ? { errors: listed } : {}
      return reply.refuse(status, key, retryAfter === undefined ? details : { ...details, retryAfterSeconds: retryAfter })
    }
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    reply.header('cache-control', 'no-store')
    // A field that says what is wrong needs nobody to say so again above.
    const problem = Object.keys(errors).length > 0 ? null : t(key)
    return this.show(request, reply, { ...form, props: { ...form.props, errors, problem } }, status)
  }

  /** Does work that hashes a password; when too many wait for that, the form comes back as it was sent, with a 503. */
  async unlessBusy(
    request: FastifyRequest,
    reply: FastifyReply,
    form: FormAgain,
    work: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HashingBusyError)) throw error
      return this.again(request, reply, { status: 503, key: 'auth.busy', retryAfter: error.retryAfterSeconds }, form)
    }
  }

  async show(request: FastifyRequest, reply: FastifyReply, { page, title, props }: FormAgain, status = 200): Promise<FastifyReply> {
    reply.header('cache-control', 'no-store')
    const { lang } = request.viewer
    return this.#pages.send(request, reply, page, {
      status,
      props,
      head: { title: `${this.t(request)(title)} · ${lang === 'bn' ? 'খামার' : 'Khamar'}`, canonical: null },
    })
  }

  /** The signed-in person, or null once the way to sign in has been shown. */
  signedIn(request: FastifyRequest, reply: FastifyReply, next: string): SignedInUser | null {
    const { user } = request.viewer
    if (user) return user
    if (this.isForm(request)) void reply.redirect(`/login?next=${encodeURIComponent(next)}`, 303)
    else void reply.refuse(401, 'error.not-signed-in')
    return null
  }
}
