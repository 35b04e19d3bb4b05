import { isForm } from '#lib/http/request-kind.server.ts'
import { emptyBody } from '#lib/form-fields.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { codeBody } from '../forms.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  isSecondFactor,
  secondFactorState,
  secretToShow,
} from '../second-factor.server.ts'
import type { SignedInUser } from '../sessions.server.ts'
import { base32, totpUri } from '../totp.server.ts'
import { drawQr } from '#lib/codes/qr-code.server.ts'
import type { AuthResponder, FormErrors } from './auth-responder.ts'
import { recentlyAuthenticatedUser } from './security-routes.ts'

const tags = ['identity']
const HOME = '/account/security/second-factor'
const PAGE = { page: 'store/account/second-factor', title: 'auth.factor-title' } as const

const actorOf = ({ ip }: FastifyRequest, { id }: SignedInUser) => ({ kind: 'staff', id, ip }) as const

/** The second factor of the staff: begin, confirm, end. */
export function secondFactorRoutes(responder: AuthResponder): FastifyPluginAsyncZod {
  const { deps } = responder
  return async (app) => {
    app.post(
      `${HOME}/begin`,
      { config: { page: true }, schema: { tags, summary: 'Begin two-step verification: get its secret', body: emptyBody } },
      async (request, reply) => {
        const user = await staffMember(request, reply)
        if (!user) return reply
        await beginSecondFactor(deps, user.id)
        const toShow = await drawing(user)
        if (!toShow) return reply.fail(409, 'auth.factor-there')
        return isForm(request)
          ? responder.renderForm(request, reply, { ...PAGE, props: { state: 'begun', ...toShow, errors: {}, problem: null } })
          : reply.header('cache-control', 'no-store').send({ key: toShow.secretKey, address: toShow.address })
      },
    )

    app.post(
      `${HOME}/confirm`,
      {
        config: { page: true },
        schema: { tags, summary: 'Switch two-step verification on by a code of the authenticator', body: codeBody },
      },
      async (request, reply) => {
        const user = await staffMember(request, reply)
        if (!user) return reply
        const { ip, viewer } = request
        const confirmed = await confirmSecondFactor(deps, user, request.body.code, { ip, browser: viewer.browser })
        if (!confirmed.ok && confirmed.reason === 'ended') return responder.requireSignIn(request, reply, HOME)
        if (!confirmed.ok) return wrongCode(request, reply, user)
        const { recoveryCodes } = confirmed
        if (!isForm(request)) return reply.header('cache-control', 'no-store').send({ recovery_codes: recoveryCodes })
        return responder.renderForm(request, reply, {
          ...PAGE,
          props: { state: 'confirmed', recoveryCodes, recoveryLeft: recoveryCodes.length, errors: {}, problem: null },
        })
      },
    )

    app.post(
      `${HOME}/end`,
      { config: { page: true }, schema: { tags, summary: 'Switch two-step verification off', body: codeBody } },
      async (request, reply) => {
        const user = await staffMember(request, reply)
        if (!user) return reply
        if (!(await isSecondFactor(deps, user.id, request.body.code))) return wrongCode(request, reply, user)
        await endSecondFactor(deps.db, actorOf(request, user))
        return responder.redirect(request, reply, '/account/security?done=factor-ended')
      },
    )
  }

  async function staffMember(request: FastifyRequest, reply: FastifyReply): Promise<SignedInUser | null> {
    const user = await recentlyAuthenticatedUser(responder, request, reply, HOME)
    if (user?.role !== 'customer') return user
    void reply.fail(403, 'error.not-allowed')
    return null
  }

  async function drawing(user: SignedInUser) {
    const secret = await secretToShow(deps, user.id)
    if (!secret) return null
    const { shop } = await deps.readSettings()
    const address = totpUri(secret, shop.name.en, user.phone)
    return { secretKey: (base32(secret).match(/.{4}/g) ?? []).join(' '), address, qr: drawQr(address) }
  }

  async function wrongCode(request: FastifyRequest, reply: FastifyReply, user: SignedInUser) {
    const problems: FormErrors = { status: 422, key: 'auth.code-wrong', errors: { code: 'auth.factor-wrong' } }
    const props = { ...(await secondFactorState(deps.db, user.id)), ...(isForm(request) ? await drawing(user) : {}) }
    return responder.renderFormErrors(request, reply, problems, { ...PAGE, props })
  }
}
