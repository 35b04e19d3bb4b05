import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { chooseFirstPassword } from '#features/auth/account-changes.server.ts'
import { type Challenge, findChallenge } from '#features/auth/challenges.server.ts'
import { codeBody, nothingBody } from '#features/auth/forms.ts'
import { passwordProblem } from '#features/auth/password-rules.ts'
import { expectRoomToHash } from '#features/auth/passwords.server.ts'
import { verifyCode, type VerifiedCode } from '#features/auth/verify-code.server.ts'
import { resendCode, type TooMany } from '#features/auth/request-code.server.ts'
import { verifySecondFactor } from '#features/auth/second-factor.server.ts'
import { extendVerifiedOrder } from '#features/orders/advances/confirm-phone.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { codeProps } from '#site/store/account/code-props.server.ts'
import type { AuthResponder, FormAgain, Problems } from './auth-responder.ts'

const tags = ['identity']
const GONE: FormAgain = { page: 'store/account/code', title: 'auth.code-title', props: { challenge: null } }

/** Proving what was begun: with the code of an SMS, of an authenticator, or with a first password of one's own. */
export function codeRoutes(talk: AuthResponder): FastifyPluginAsyncZod {
  const { deps } = talk
  return async (app) => {
    app.post(
      '/code',
      { config: { page: true }, schema: { tags, summary: 'Prove what was begun with its code', body: codeBody } },
      async (request, reply) => {
        const token = talk.challenge(request)
        const challenge = await begun(request, token)
        if (!token || !challenge) return expired(request, reply)
        const setsPassword = challenge.purpose === 'new-password' || challenge.purpose === 'first-password'
        const wrong = setsPassword ? passwordProblem(request.body.password, { phone: challenge.phone ?? '' }) : null
        if (wrong) return again(request, reply, challenge, { status: 422, key: 'error.invalid', errors: { password: wrong } })
        if (challenge.purpose !== 'first-password' && request.body.code.trim() === '')
          return again(request, reply, challenge, { status: 422, key: 'error.invalid', errors: { code: 'auth.code-required' } })
        if (!setsPassword) return prove(request, reply, token, challenge)
        return talk.unlessBusy(request, reply, formOf(challenge), async () => {
          // StockUnavailableError before a try at the code is counted.
          expectRoomToHash('new')
          return prove(request, reply, token, challenge, request.body.password)
        })
      },
    )

    app.post(
      '/code/resend',
      { config: { page: true }, schema: { tags, summary: 'Send another code', body: nothingBody } },
      async (request, reply) => {
        const token = talk.challenge(request)
        const challenge = await begun(request, token)
        if (!token || challenge?.phone == null) return expired(request, reply)
        const result = await resendCode(deps, await talk.asker(request), token, challenge)
        if (result.ok) return talk.goOn(request, reply, '/code?sent=again')
        const key = result.reason === 'too-soon' ? 'auth.code-too-soon' : 'auth.too-many-codes'
        return again(request, reply, challenge, { status: 429, key, retryAfter: result.retryAfter })
      },
    )
  }

  /** What belongs to a signed-in person is nobody else's. */
  async function begun(request: FastifyRequest, token: string | null): Promise<Challenge | null> {
    const challenge = await findChallenge(deps.db, token, deps.now())
    const needsUser = challenge?.purpose === 'confirm' || challenge?.purpose === 'new-phone'
    return needsUser && challenge.userId !== request.viewer.user?.id ? null : challenge
  }

  async function prove(request: FastifyRequest, reply: FastifyReply, token: string, challenge: Challenge, password?: string) {
    const start = talk.start(request)
    const { code } = request.body as { code: string }
    if (challenge.purpose === 'first-password') {
      const entry = await chooseFirstPassword(deps.db, { token, challenge, password: password ?? '', ...start })
      return entry ? talk.letIn(request, reply, entry) : expired(request, reply)
    }
    if (challenge.purpose === 'second-factor') {
      const result = await verifySecondFactor(deps, { token, challenge, code, knownCookie: talk.knownCookie(request), ...start })
      return result.ok ? talk.letIn(request, reply, result.entry) : refuse(request, reply, challenge, result)
    }
    const { expiry } = await deps.facts.settings()
    const keepOrder = (tx: Db, orderId: number, now: Date) => extendVerifiedOrder(tx, orderId, now, expiry)
    const { user } = request.viewer
    const proof = { ...(await talk.asker(request)), token, challenge, code, userAgent: start.userAgent, user, keepOrder }
    const result = await verifyCode(deps, { ...proof, ...(password === undefined ? {} : { password }) })
    return result.ok ? done(request, reply, result.proven) : refuse(request, reply, challenge, result)
  }

  async function done(request: FastifyRequest, reply: FastifyReply, proven: VerifiedCode) {
    if (proven.kind === 'entered') return talk.letIn(request, reply, proven.entry)
    talk.forgetChallenge(reply)
    switch (proven.kind) {
      case 'confirmed':
        return talk.goOn(request, reply, proven.nextPath || '/account/security')
      case 'moved':
        return talk.goOn(request, reply, '/account/security?done=phone')
      case 'no-account':
        return talk.again(
          request,
          reply,
          { status: 409, key: 'auth.no-account' },
          { ...GONE, props: { challenge: null, offer: 'register' } },
        )
      case 'taken':
        return talk.again(
          request,
          reply,
          { status: 409, key: 'auth.phone-taken' },
          { ...GONE, props: { challenge: null, offer: 'security' } },
        )
      case 'closed':
        return talk.again(
          request,
          reply,
          { status: 403, key: 'auth.account-closed' },
          { ...GONE, props: { challenge: null, offer: 'home' } },
        )
    }
  }

  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    challenge: Challenge,
    result: { ok: false; reason: 'wrong' | 'expired' } | TooMany,
  ) {
    switch (result.reason) {
      case 'wrong':
        return again(request, reply, challenge, { status: 422, key: 'auth.code-wrong', errors: { code: 'auth.code-wrong' } })
      case 'expired':
        return again(request, reply, challenge, { status: 410, key: 'auth.code-expired' })
      case 'too-many':
        return again(request, reply, challenge, { status: 429, key: 'auth.too-many-codes', retryAfter: result.retryAfter })
    }
  }

  /** The form again, unless its tries are used up. */
  async function again(request: FastifyRequest, reply: FastifyReply, _tried: Challenge, problems: Problems) {
    const challenge = await begun(request, talk.challenge(request))
    if (!challenge) return expired(request, reply)
    return talk.again(request, reply, problems, formOf(challenge))
  }

  function formOf(challenge: Challenge): FormAgain {
    const title = challenge.purpose === 'first-password' ? 'auth.first-password-title' : 'auth.code-title'
    return { ...GONE, title, props: codeProps(challenge, deps.now()) }
  }

  function expired(request: FastifyRequest, reply: FastifyReply) {
    return talk.again(request, reply, { status: 410, key: 'auth.request-over' }, GONE)
  }
}
