import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { idParams, textField } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import { type CancelOwnResult, cancelOwnOrder } from '../status/cancel-own-order.server.ts'
import { listReorderProducts } from './reorder.server.ts'
import { findOwnOrder, type Owner } from './own-orders.server.ts'

type OwnOrdersDeps = Parameters<typeof cancelOwnOrder>[0]

const cancelBody = z.object({ reason: textField().default('') })

/** Routes for customers' own orders: cancel one, order it again. */
export function ownOrdersApi(deps: OwnOrdersDeps): FastifyPluginAsyncZod {
  return async (app) => {
    // Checked before the body is validated, so that validation errors reveal nothing to strangers.
    app.addHook('preValidation', async (request, reply) => {
      if (request.viewer.user === null) return reply.fail(401, 'account.sign-in')
      if (!idParams.safeParse(request.params).success) return reply.fail(404, 'error.not-found')
    })

    app.post(
      '/orders/:id/cancel',
      {
        config: { timeoutMs: GATEWAY_WAIT_MS },
        schema: { tags: ['orders'], summary: 'Cancel an own order', params: idParams, body: cancelBody },
      },
      async (request, reply) => {
        const { lang } = request.viewer
        const owner = ownerOf(request)
        const result = await cancelOwnOrder(deps, owner, request.params.id, { reason: request.body.reason, lang })
        const order = await findOwnOrder(deps.db, owner, request.params.id, lang)
        // After a lost answer the page still shows the order as it was.
        if (!result.ok) return replyCancelError(request, reply, result.reason, result.reason === 'ended' ? { order } : {})
        return { message: translate(lang)('account.cancelled'), order }
      },
    )

    app.get(
      '/orders/:id/again',
      { schema: { tags: ['orders'], summary: 'The products of an own order that can be ordered again', params: idParams } },
      async (request, reply) => {
        const { lang } = request.viewer
        const order = await findOwnOrder(deps.db, ownerOf(request), request.params.id, lang)
        if (!order) return reply.fail(404, 'error.not-found')
        reply.header('cache-control', 'no-store')
        return listReorderProducts(deps.db, order, lang)
      },
    )
  }
}

function ownerOf(request: FastifyRequest): Owner {
  const { user, browser } = request.viewer
  if (user === null) throw new Error('the preValidation hook must reject requests without a user')
  return { user, browser }
}

function replyCancelError(
  request: FastifyRequest,
  reply: FastifyReply,
  reason: Extract<CancelOwnResult, { ok: false }>['reason'],
  more: Record<string, unknown>,
): FastifyReply | Promise<FastifyReply> {
  switch (reason) {
    case 'not-found':
      return reply.fail(404, 'error.not-found')
    case 'reason-required':
      return reply.fail(422, 'error.invalid', { errors: { reason: [translate(request.viewer.lang)('account.reason-required')] } })
    default:
      return reply.fail(409, `account.cannot-cancel.${reason}`, more)
  }
}
