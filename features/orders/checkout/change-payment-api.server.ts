import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { emptyBody, idParams, viewKeyQuery } from '#lib/form-fields.ts'
import { isForm } from '#lib/http/request-kind.server.ts'
import { listReorderProducts } from '../history/reorder.server.ts'
import { cancelForCart, changePaymentMethod, type ChangeError, type ChangeRequest } from './change-payment.server.ts'
import { orderVisitor, viewKeySuffix } from '../order-access.server.ts'
import { findOrderForVisitor } from '../queries.server.ts'

type Deps = Parameters<typeof cancelForCart>[0]

const methodBody = z.strictObject({ method: z.enum(['advance', 'cash_on_delivery']) })
const limit = { rateLimit: { max: 20, timeWindow: '10 minutes' } }

/** Routes for the buyer of an unpaid order: change the payment method, or move the products back to the cart. */
export function changePaymentApi(deps: Deps): FastifyPluginAsyncZod {
  const changeOf = async (request: FastifyRequest, orderId: number, key: string | undefined): Promise<ChangeRequest> => {
    const visitor = orderVisitor(request.viewer, key, { permission: 'orders.write', settings: await deps.shopCache.settings() })
    return { orderId, visitor: { ...visitor, ip: request.ip }, lang: request.viewer.lang }
  }
  return async (app) => {
    app.post(
      '/orders/:id/payment-method',
      {
        config: { ...limit, timeoutMs: GATEWAY_WAIT_MS },
        schema: {
          tags: ['orders'],
          summary: 'Change an unpaid order to an advance by hand or to cash on delivery',
          params: idParams,
          querystring: viewKeyQuery,
          body: methodBody,
        },
      },
      async (request, reply) => {
        const change = await changeOf(request, request.params.id, request.query.key)
        const result = await changePaymentMethod(deps, change, request.body.method)
        if (!result.ok) return replyChangeError(reply, result.reason)
        if (isForm(request)) return reply.redirect(`/order/confirmed/${change.orderId}${viewKeySuffix(request.query.key)}`, 303)
        return { order: await findOrderForVisitor(deps.db, change.orderId, change.visitor, change.lang) }
      },
    )

    app.post(
      '/orders/:id/to-cart',
      {
        config: { ...limit, timeoutMs: GATEWAY_WAIT_MS },
        schema: {
          tags: ['orders'],
          summary: 'Move the products of an unpaid or ended order back to the cart; an unpaid order is cancelled with it',
          params: idParams,
          querystring: viewKeyQuery,
          body: emptyBody,
        },
      },
      async (request, reply) => {
        const change = await changeOf(request, request.params.id, request.query.key)
        const result = await cancelForCart(deps, change)
        if (!result.ok) return replyChangeError(reply, result.reason)
        const order = await findOrderForVisitor(deps.db, change.orderId, change.visitor, change.lang)
        reply.header('cache-control', 'no-store')
        return order === null ? reply.fail(404, 'error.not-found') : listReorderProducts(deps.db, order, change.lang)
      },
    )
  }
}

function replyChangeError(reply: FastifyReply, reason: ChangeError): FastifyReply | Promise<FastifyReply> {
  switch (reason) {
    case 'not-found':
      return reply.fail(404, 'error.not-found')
    case 'ended':
      return reply.fail(410, 'payment.order-ended')
    case 'paid':
    case 'nothing-awaited':
      return reply.fail(409, 'payment.nothing-to-pay')
    case 'on-its-way':
      return reply.fail(409, 'account.cannot-cancel.on-its-way')
    case 'advance-checking':
      return reply.fail(409, 'payment.advance-reported')
    case 'payment-review':
    case 'payment-under-way':
      return reply.fail(409, 'payment.in-progress')
    case 'gateway-silent':
      return reply.fail(502, 'payment.gateway-silent')
    case 'not-offered':
      return reply.fail(422, 'payment.not-offered')
  }
}
