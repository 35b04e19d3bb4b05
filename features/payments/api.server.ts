import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { payAgain, type PayAgainResult } from '#features/payments/commands/pay-again.server.ts'
import { gatewayCallbacks } from '#features/payments/callback-routes.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { GATEWAY_WAIT_MS, REQUESTED_GATEWAYS } from '#features/payments/gateway.ts'
import { findOrderAccess, findPayableOrder, listAttempts, type OrderAccess } from '#features/payments/queries.server.ts'
import { idText, takaField, viewKeyQuery } from '#lib/form-fields.ts'
import { isForm } from '#lib/http/request-kind.server.ts'
import { PAYMENT_STATUSES, paymentStatus } from './payment-status.ts'
import { poishaToTaka, type Poisha } from '#lib/format/money.ts'

/** Whether a request may see an order; `permission` is what a member of staff needs for it. */
export type SeeOrder = (
  request: FastifyRequest,
  order: OrderAccess,
  permission: 'orders.read' | 'orders.write',
) => boolean | Promise<boolean>

const limit = { rateLimit: { max: 20, timeWindow: '10 minutes' } }

const statusQuery = viewKeyQuery.extend({ order: idText })

/** `due_amount`: the amount due that the payer saw, to pay the rest of an order whose promised payment has come. */
const payBody = z.strictObject({ payment_gateway: z.enum(REQUESTED_GATEWAYS).optional(), due_amount: takaField().optional() }).nullish()

const statusResponse = z.object({
  order_id: z.number(),
  order_status: z.string(),
  payment: z.enum(PAYMENT_STATUSES),
  payable_amount: z.number(),
  paid_amount: z.number(),
  due_amount: z.number(),
  /** Reported advances that staff have not verified or rejected. */
  waiting_advances: z.number(),
  /** When an unpaid order expires; null when it does not expire. */
  expires_at: z.iso.datetime().nullable(),
})

/**
 * Routes of payments. `canSeeOrder` is the access rule of the invoice. A request without access gets 404, which does not show whether
 * the order exists.
 */
export function paymentsApi(deps: PaymentDeps, { canSeeOrder }: { canSeeOrder: SeeOrder }): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(gatewayCallbacks(deps))

    const visible = async (request: FastifyRequest, id: number, permission: Parameters<SeeOrder>[2]) => {
      const access = await findOrderAccess(deps.db, id)
      return access !== null && (await canSeeOrder(request, access, permission))
    }

    app.get(
      '/payments/status',
      {
        schema: {
          tags: ['payments'],
          summary: 'The state of an order’s payment',
          querystring: statusQuery,
          response: { 200: statusResponse },
        },
      },
      async (request, reply) => {
        const id = request.query.order
        const order = (await visible(request, id, 'orders.read')) ? await findPayableOrder(deps.db, id) : null
        if (!order) return reply.fail(404, 'error.not-found') as never
        reply.header('cache-control', 'no-store')
        return {
          order_id: id,
          order_status: order.status,
          payment: paymentStatus(order, await listAttempts(deps.db, id)),
          payable_amount: poishaToTaka(order.payablePoisha),
          paid_amount: poishaToTaka(order.paidPoisha),
          due_amount: poishaToTaka(Math.max(0, order.duePoisha) as Poisha),
          waiting_advances: order.waitingAdvances,
          expires_at: order.expiresAt?.toISOString() ?? null,
        }
      },
    )

    app.post(
      '/orders/:id/pay',
      {
        config: { ...limit, timeoutMs: GATEWAY_WAIT_MS },
        schema: {
          tags: ['payments'],
          summary: 'Begin an online payment of an unpaid order, or of the rest of a paid one',
          params: z.object({ id: idText }),
          body: payBody,
        },
      },
      async (request, reply) => {
        const { id } = request.params
        if (!(await visible(request, id, 'orders.write'))) return reply.fail(404, 'error.not-found')
        const requested = request.body?.payment_gateway
        const gateway = requested === 'pgw' ? (deps.gateways.default ?? undefined) : requested
        const result = await payAgain(deps, id, { gateway, due: request.body?.due_amount })
        if (!result.ok) return rejectPayment(reply, result)
        return isForm(request) ? reply.redirect(result.redirectUrl, 303) : { redirect_url: result.redirectUrl }
      },
    )
  }
}

/** The error response when a payment cannot be started. Checkout uses it too. */
export function rejectPayment(
  reply: FastifyReply,
  { reason }: Extract<PayAgainResult, { ok: false }>,
): FastifyReply | Promise<FastifyReply> {
  switch (reason) {
    case 'no-such-order':
      return reply.fail(404, 'error.not-found')
    case 'order-ended':
      return reply.fail(410, 'payment.order-ended')
    case 'nothing-to-pay':
      return reply.fail(409, 'payment.nothing-to-pay')
    case 'due-changed':
      return reply.fail(409, 'payment.due-changed')
    case 'advance-reported':
      return reply.fail(409, 'payment.advance-reported')
    case 'in-progress':
      return reply.fail(409, 'payment.in-progress')
    case 'too-many-attempts':
      return reply.fail(409, 'payment.too-many-attempts')
    case 'no-gateway':
      return reply.fail(422, 'payment.no-gateway')
    case 'below-gateway-minimum':
      return reply.fail(422, 'refusal.below-gateway-minimum')
    case 'above-gateway-maximum':
      return reply.fail(422, 'refusal.above-gateway-maximum')
    case 'gateway-refused':
    case 'gateway-silent':
      return reply.fail(502, 'payment.gateway-silent')
  }
}
