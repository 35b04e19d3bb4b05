import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AuthResponder } from '#features/auth/http/auth-responder.ts'
import { requestCode } from '#features/auth/request-code.server.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { emptyBody, idParams, viewKeyQuery } from '#lib/form-fields.ts'
import { canSeeOrder, viewKeySuffix } from '../order-access.server.ts'
import { extendVerifiedOrder, findExtendableOrder } from './confirm-phone.server.ts'

/** Route that verifies the phone of an order by an SMS code, which extends the payment deadline. */
export function confirmPhoneRoutes(responder: AuthResponder): FastifyPluginAsyncZod {
  const { deps } = responder
  const mayAct = canSeeOrder(deps)
  return async (app) => {
    app.post(
      '/orders/:id/confirm-phone',
      {
        schema: {
          tags: ['orders'],
          summary: 'Send a code to the phone of an order that waits for an advance sent by hand',
          params: idParams,
          querystring: viewKeyQuery,
          body: emptyBody,
        },
      },
      async (request, reply) => {
        const { id } = request.params
        const order = await findExtendableOrder(deps.db, id)
        if (!order || !(await mayAct(request, { id, ...order }, 'orders.write'))) return reply.fail(404, 'error.not-found')
        const invoice = `/invoice/${id}${viewKeySuffix(request.query.key)}`
        const { user } = request.viewer
        if (user?.isPhoneVerified && user.phone === order.phone) {
          const { expiry } = await deps.readSettings()
          await inTransaction(deps.db, (tx) => extendVerifiedOrder(tx, { id, phone: order.phone }, deps.now(), expiry))
          return responder.redirect(request, reply, invoice)
        }
        const challenge = { purpose: 'order-phone', phone: order.phone, details: async () => ({ orderId: id }), nextPath: invoice } as const
        const result = await requestCode(deps, await responder.codeRequester(request), challenge)
        if (result.ok) return responder.startChallenge(request, reply, result.token)
        if (result.reason === 'no-sms') return reply.fail(503, 'auth.no-sms')
        return reply.fail(429, 'advance.too-many-codes', { retryAfterSeconds: result.retryAfter })
      },
    )
  }
}
