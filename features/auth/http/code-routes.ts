import { emptyBody } from '#lib/form-fields.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { ZodApp } from '#lib/http/zod-app.ts'
import { chooseFirstPassword } from '../account-changes.server.ts'
import { type Challenge, findChallenge } from '../challenges.server.ts'
import { codeBody } from '../forms.ts'
import { passwordProblem } from '../password-rules.ts'
import { findPerson } from '../users.server.ts'
import { expectRoomToHash } from '../passwords.server.ts'
import { resendCode, type TooMany } from '../request-code.server.ts'
import { verifySecondFactor } from '../second-factor.server.ts'
import { verifyCode, type VerifiedCode } from '../verify-code.server.ts'
import { type AuthResponder, type FormErrors, type FormPage, invalid, tooManyCodes } from './auth-responder.ts'
import { codeFormProps } from './code-form.ts'

const tags = ['identity']
const GONE: FormPage = { page: 'store/account/code', title: 'auth.code-title', props: { challenge: null } }

/** Routes that verify a pending challenge: by a code of an SMS or an authenticator app, or by choosing a first password. */
export function codeRoutes(responder: AuthResponder): FastifyPluginAsyncZod {
  const flow = new CodeFlow(responder)
  return async (app) => {
    verifyRoute(app, responder, flow)
    resendRoute(app, responder, flow)
  }
}

function verifyRoute(app: ZodApp, responder: AuthResponder, flow: CodeFlow): void {
  app.post(
    '/code',
    { config: { page: true }, schema: { tags, summary: 'Enter the code of an SMS or authenticator, or a first password', body: codeBody } },
    async (request, reply) => {
      const token = responder.challenge(request)
      const challenge = await flow.findPending(request, token)
      if (!token || !challenge) return flow.expired(request, reply)
      const setsPassword = challenge.purpose === 'new-password' || challenge.purpose === 'first-password'
      const problem = setsPassword ? passwordProblem(request.body.password, await flow.knownOwner(challenge)) : null
      if (problem) return flow.renderErrors(request, reply, invalid({ password: problem }))
      if (challenge.purpose !== 'first-password' && request.body.code.trim() === '')
        return flow.renderErrors(request, reply, invalid({ code: 'auth.code-required' }))
      if (!setsPassword) return flow.verify(request, reply, token, challenge)
      return responder.withHashing(request, reply, flow.formOf(challenge), async () => {
        // A full hashing queue is reported before an attempt at the code is counted.
        expectRoomToHash('new')
        return flow.verify(request, reply, token, challenge, request.body.password)
      })
    },
  )
}

function resendRoute(app: ZodApp, responder: AuthResponder, flow: CodeFlow): void {
  app.post(
    '/code/resend',
    { config: { page: true }, schema: { tags, summary: 'Send another code', body: emptyBody } },
    async (request, reply) => {
      const token = responder.challenge(request)
      const challenge = await flow.findPending(request, token)
      if (!token || challenge?.phone == null) return flow.expired(request, reply)
      const result = await resendCode(responder.deps, await responder.codeRequester(request), token, challenge)
      if (result.ok) return responder.redirect(request, reply, '/code?sent=again')
      const key = result.reason === 'too-soon' ? 'auth.code-too-soon' : 'auth.too-many-codes'
      return flow.renderErrors(request, reply, { status: 429, key, retryAfter: result.retryAfter })
    },
  )
}

/** Verifies a challenge and replies with what follows from it. */
class CodeFlow {
  readonly #responder: AuthResponder

  constructor(responder: AuthResponder) {
    this.#responder = responder
  }

  /** The pending challenge of the token. A challenge of a signed-in user is found only for that user. */
  async findPending(request: FastifyRequest, token: string | null): Promise<Challenge | null> {
    const { deps } = this.#responder
    const challenge = await findChallenge(deps.db, token, deps.now())
    const needsUser = challenge?.purpose === 'confirm' || challenge?.purpose === 'new-phone'
    return needsUser && challenge.userId !== request.viewer.user?.id ? null : challenge
  }

  /**
   * What the password must not repeat. The name is compared only for a user who has shown a one-time password: the answer to others would
   * tell it.
   */
  async knownOwner({ purpose, userId, phone }: Challenge): Promise<{ name?: string; phone: string }> {
    const person = purpose === 'first-password' ? await findPerson(this.#responder.deps.db, userId ?? 0) : null
    return person ?? { phone: phone ?? '' }
  }

  async verify(request: FastifyRequest, reply: FastifyReply, token: string, challenge: Challenge, password?: string) {
    const responder = this.#responder
    const { deps } = responder
    const start = responder.sessionStart(request)
    const { code } = request.body as { code: string }
    if (challenge.purpose === 'first-password') {
      const entry = await chooseFirstPassword(deps.db, { token, challenge, password: password ?? '', ...start })
      return entry ? responder.signInAndRedirect(request, reply, entry) : this.expired(request, reply)
    }
    if (challenge.purpose === 'second-factor') {
      const result = await verifySecondFactor(deps, { token, challenge, code, knownCookie: responder.knownCookie(request), ...start })
      return result.ok ? responder.signInAndRedirect(request, reply, result.entry) : this.#reject(request, reply, result)
    }
    const extendOrder = await deps.orderExtension()
    const { user } = request.viewer
    const proof = { ...(await responder.codeRequester(request)), token, challenge, code, userAgent: start.userAgent, user, extendOrder }
    const result = await verifyCode(deps, { ...proof, ...(password === undefined ? {} : { password }) })
    if (!result.ok) return this.#reject(request, reply, result)
    const userId = closedElsewhere(challenge, result.verified, user)
    if (userId !== null) await responder.endOrderAccessElsewhere(request, userId)
    return this.#finish(request, reply, result.verified, challenge.nextPath || null)
  }

  async #finish(request: FastifyRequest, reply: FastifyReply, verified: VerifiedCode, next: string | null) {
    const responder = this.#responder
    if (verified.kind === 'entered') return responder.signInAndRedirect(request, reply, verified.entry)
    responder.clearChallenge(reply)
    switch (verified.kind) {
      case 'confirmed':
        return responder.redirect(request, reply, verified.nextPath || '/account/security')
      case 'moved':
        return responder.redirect(request, reply, '/account/security?done=phone')
      case 'no-account':
        return responder.renderFormErrors(request, reply, { status: 409, key: 'auth.no-account' }, goneWith('register', next))
      case 'taken':
        return responder.renderFormErrors(request, reply, { status: 409, key: 'auth.phone-taken' }, goneWith('security'))
      case 'closed':
        return responder.renderFormErrors(request, reply, { status: 403, key: 'auth.account-closed' }, goneWith('home'))
    }
  }

  async #reject(request: FastifyRequest, reply: FastifyReply, result: { ok: false; reason: 'wrong' | 'expired' } | TooMany) {
    switch (result.reason) {
      case 'wrong':
        return this.renderErrors(request, reply, { status: 422, key: 'auth.code-wrong', errors: { code: 'auth.code-wrong' } })
      case 'expired':
        return this.renderErrors(request, reply, { status: 410, key: 'auth.code-expired' })
      case 'too-many':
        return this.renderErrors(request, reply, tooManyCodes(result.retryAfter))
    }
  }

  /** Renders the form again, or the expired page once the attempts are used up. */
  async renderErrors(request: FastifyRequest, reply: FastifyReply, problems: FormErrors) {
    const challenge = await this.findPending(request, this.#responder.challenge(request))
    if (!challenge) return this.expired(request, reply)
    return this.#responder.renderFormErrors(request, reply, problems, this.formOf(challenge))
  }

  formOf(challenge: Challenge): FormPage {
    const title = challenge.purpose === 'first-password' ? 'auth.first-password-title' : 'auth.code-title'
    return { ...GONE, title, props: codeFormProps(challenge, this.#responder.deps.now()) }
  }

  expired(request: FastifyRequest, reply: FastifyReply) {
    return this.#responder.renderFormErrors(request, reply, { status: 410, key: 'auth.request-over' }, GONE)
  }
}

/** The user whose other sessions have ended by a code; null for other codes. */
function closedElsewhere({ purpose }: Challenge, verified: VerifiedCode, user: { id: number } | null): number | null {
  if (verified.kind === 'moved') return user?.id ?? null
  const setsPassword = purpose === 'new-password' || purpose === 'register'
  return setsPassword && verified.kind === 'entered' ? verified.entry.user.id : null
}

const goneWith = (offer: 'register' | 'security' | 'home', next: string | null = null): FormPage => ({
  ...GONE,
  props: { challenge: null, offer, next },
})
