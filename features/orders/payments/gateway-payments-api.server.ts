import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { acceptPayment, refusePaymentInReview, type ReviewRefusal } from '#features/payments/commands/review-payment.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { idParams, seenVersion, takaField } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import { sanitizeText, isStorable } from '#lib/format/text.ts'
import { type GatewayRefundRefusal, refundThroughGateway, resolveRefund, type ResolveResult } from './gateway-refund.server.ts'
import { findAdminOrder } from '../history/order-details.server.ts'

export interface GatewayMoneyDeps extends PaymentDeps {
  /** What shoppers see of the goods has changed. */
  catalogChanged(): void
}

const reasonField = z.string().max(255).refine(isStorable).default('')

const refundBody = z.object({
  gateway: z.enum(['sslcommerz', 'bkash'], { error: 'field.choose' }),
  transaction: z.string().max(100).refine(isStorable),
  amount: takaField().refine((amount) => amount > 0, { error: 'field.taka' }),
  reason: reasonField,
  version: seenVersion,
})

const resolveBody = z.object({
  outcome: z.enum(['done', 'failed'], { error: 'field.choose' }),
  reference: z.string().max(100).refine(isStorable).default(''),
})

/** The admin calls about online payments: review, refunds through the gateway. Each answers the order as it is then. */
export function gatewayMoneyApi(deps: GatewayMoneyDeps): FastifyPluginAsyncZod {
  const { db } = deps
  const timeoutMs = GATEWAY_WAIT_MS
  return async (app) => {
    const orderNow = (reply: FastifyReply, orderId: number) => {
      const { staff, viewer } = reply.request
      return findAdminOrder(db, orderId, viewer.lang, staff.can('orders.reopen'))
    }

    app.post(
      '/admin/payments/accept/:id',
      {
        config: { right: 'payments.write', timeoutMs },
        schema: { tags: ['admin orders'], summary: 'Accept a payment in review', params: idParams },
      },
      async ({ staff, params }, reply) => {
        const result = await acceptPayment(deps, params.id, staff)
        if (!result.ok) return refuseReview(reply, result.reason)
        deps.catalogChanged()
        return { order: await orderNow(reply, result.orderId) }
      },
    )

    app.post(
      '/admin/payments/refuse/:id',
      {
        config: { right: 'payments.refund', timeoutMs },
        schema: {
          tags: ['admin orders'],
          summary: 'Refuse a payment in review and refund it',
          params: idParams,
          body: z.object({ reason: reasonField }),
        },
      },
      async ({ staff, params, body }, reply) => {
        const reason = sanitizeText(body.reason)
        if (reason === '') return refuseField(reply, 'reason', 'admin-orders.reason-required')
        const result = await refusePaymentInReview(deps, params.id, reason, staff)
        if (!result.ok) return refuseReview(reply, result.reason)
        return { order: await orderNow(reply, result.orderId), refunds: result.refunds }
      },
    )

    app.post(
      '/admin/orders/gateway-refunds/:id',
      {
        config: { right: 'payments.refund', timeoutMs },
        schema: { tags: ['admin orders'], summary: 'Refund a payment through its gateway', params: idParams, body: refundBody },
      },
      async ({ staff, params, body }, reply) => {
        const result = await refundThroughGateway(deps, params.id, body, staff)
        if (!result.ok) return refuseRefund(reply, result.reason)
        return { order: await orderNow(reply, params.id), state: result.state }
      },
    )

    app.post(
      '/admin/refunds/resolve/:id',
      {
        config: { right: 'payments.refund' },
        schema: {
          tags: ['admin orders'],
          summary: 'Record the outcome of a refund that the gateway did not tell',
          params: idParams,
          body: resolveBody,
        },
      },
      async ({ staff, params, body }, reply) => {
        const result = await resolveRefund(deps, params.id, body, staff)
        return result.ok ? { order: await orderNow(reply, result.orderId) } : refuseResolve(reply, result.reason)
      },
    )
  }
}

type Refusal = FastifyReply | Promise<FastifyReply>

type FieldText = 'admin-orders.reason-required' | 'admin-orders.more-than-paid' | 'refunds.more-than-left' | 'refunds.bad-reference'

function refuseField(reply: FastifyReply, field: string, key: FieldText): Refusal {
  const text = translate(reply.request.viewer.lang)(key)
  return reply.refuse(422, 'admin-orders.check-form', { errors: { [field]: [text] } })
}

function refuseReview(reply: FastifyReply, reason: ReviewRefusal): Refusal {
  switch (reason) {
    case 'not-found':
      return reply.refuse(404, 'error.not-found')
    case 'gateway-silent':
      return reply.refuse(502, 'review.gateway-silent')
    default:
      return reply.refuse(409, `review.${reason}`)
  }
}

function refuseRefund(reply: FastifyReply, reason: GatewayRefundRefusal): Refusal {
  switch (reason) {
    case 'not-found':
      return reply.refuse(404, 'error.not-found')
    case 'changed':
      return reply.refuse(409, 'admin-orders.changed')
    case 'reason-required':
      return refuseField(reply, 'reason', 'admin-orders.reason-required')
    case 'more-than-left':
      return refuseField(reply, 'amount', 'refunds.more-than-left')
    case 'more-than-paid':
      return refuseField(reply, 'amount', 'admin-orders.more-than-paid')
    default:
      return reply.refuse(409, `refunds.${reason}`)
  }
}

function refuseResolve(reply: FastifyReply, reason: (ResolveResult & { ok: false })['reason']): Refusal {
  if (reason === 'not-found') return reply.refuse(404, 'error.not-found')
  return reason === 'bad-reference' ? refuseField(reply, 'reference', 'refunds.bad-reference') : reply.refuse(409, `refunds.${reason}`)
}
