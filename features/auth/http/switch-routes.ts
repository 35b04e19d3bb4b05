import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { switchBody } from '../forms.ts'
import { readPin } from '../lock-rules.ts'
import { HashingBusyError } from '../passwords.server.ts'
import { can } from '../permissions.ts'
import type { SignedInUser } from '../sessions.server.ts'
import { listSwitchTargets, switchCashier } from '../switch-session.server.ts'
import type { AuthResponder } from './auth-responder.ts'

const tags = ['identity']

/** Routes that list the cashiers of this device and switch its session to one of them by PIN, also while the session is locked. */
export function switchRoutes(responder: AuthResponder): FastifyPluginAsyncZod {
  const { deps } = responder
  return async (app) => {
    app.get(
      '/account/cashiers',
      { schema: { tags, summary: 'The cashiers that a PIN switches to on this device' } },
      async (request, reply) => {
        const from = requireSeller(request, reply)
        if (!from) return reply
        reply.header('cache-control', 'no-store')
        return { cashiers: await listSwitchTargets(deps, from, responder.knownCookie(request), deps.now()) }
      },
    )

    app.post(
      '/account/switch',
      { schema: { tags, summary: 'Switch the session of this device to another cashier by PIN', body: switchBody } },
      async (request, reply) => {
        const from = requireSeller(request, reply)
        if (!from) return reply
        const { user_id: targetId, pin } = request.body
        const fail = (status: 401 | 422, key: 'lock.switch-wrong' | 'lock.switch-unknown' | 'error.not-signed-in', field: string) =>
          reply.fail(status, key, status === 422 ? { errors: { [field]: [responder.t(request)(key)] } } : {})
        try {
          const knownCookie = responder.knownCookie(request)
          const result = await switchCashier(deps, { ...responder.sessionStart(request), from, targetId, pin: readPin(pin), knownCookie })
          if (result.ok) {
            responder.setSessionCookie(reply, result.session)
            responder.clearOrderAccess(reply)
            reply.header('cache-control', 'no-store')
            return { success: true, cashier: result.target }
          }
          switch (result.reason) {
            case 'too-many':
              return reply.fail(429, 'error.too-many', { retryAfterSeconds: result.retryAfter })
            case 'unknown':
              return fail(422, 'lock.switch-unknown', 'user_id')
            case 'wrong':
              return fail(422, 'lock.switch-wrong', 'pin')
            case 'ended':
              return fail(401, 'error.not-signed-in', '')
          }
        } catch (error) {
          if (!(error instanceof HashingBusyError)) throw error
          return reply.fail(503, 'auth.busy', { retryAfterSeconds: error.retryAfterSeconds })
        }
      },
    )
  }
}

/** The user of the session, locked or not, who may sell. Without one it replies and returns null. */
function requireSeller(request: FastifyRequest, reply: FastifyReply): SignedInUser | null {
  const user = request.viewer.user ?? request.viewer.locked
  if (user && can(user.role, 'pos.sell')) return user
  void (user ? reply.fail(403, 'error.not-allowed') : reply.fail(401, 'error.not-signed-in'))
  return null
}
