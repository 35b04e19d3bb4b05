import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { acceptPayment, rejectPaymentInReview, type ReviewError } from '#features/payments/commands/review-payment.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { findAttempt } from '#features/payments/queries.server.ts'
import { findRefund } from '#features/payments/refunds/queries.server.ts'
import { GATEWAY_NAMES, GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { idParams, positiveTakaField, textField, versionField } from '#lib/form-fields.ts'
import { MAX_REFERENCE_LENGTH } from '#lib/format/input-limits.ts'
import { translate } from '#lib/i18n/translate.ts'
import { isStorable } from '#lib/format/text.ts'
import { type GatewayRefundError, refundThroughGateway, resolveRefund, type ResolveResult } from './gateway-refund.server.ts'
import type { RefundLimitError } from './ledger-rules.ts'
import { replyFieldErrors } from '../field-errors.server.ts'
import { findAdminOrder } from '../history/order-details.server.ts'

export interface GatewayMoneyDeps extends PaymentDeps {
  /** Invalidates the caches of this process after a change of product data that shoppers see. */
  catalogChanged(): void
}

const reasonField = textField().default('')

const refundBody = z.object({
  gateway: z.enum(GATEWAY_NAMES, { error: 'field.choose' }),
  transaction: z.string().max(MAX_REFERENCE_LENGTH).refine(isStorable),
  amount: positiveTakaField(),
  reason: reasonField,
  version: versionField,
})

const resolveBody = z.object({
  outcome: z.enum(['done', 'failed'], { error: 'field.choose' }),
  reference: z.string().max(MAX_REFERENCE_LENGTH).refine(isStorable).default(''),
})

/** Routes of the admin for online payments: review, and refunds through the gateway. Each returns the updated order. */
export function gatewayMoneyApi(deps: GatewayMoneyDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(reviewApi(deps))
    await app.register(refundApi(deps))
  }
}

function findOrder({ db }: GatewayMoneyDeps, reply: FastifyReply, orderId: number) {
  const { staff, viewer } = reply.request
  return findAdminOrder(db, orderId, viewer.lang, staff.can('orders.reopen'))
}

/** Deciding about payments in review. */
function reviewApi(deps: GatewayMoneyDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/payments/accept/:id',
      {
        config: { permission: 'payments.write', timeoutMs: GATEWAY_WAIT_MS },
        schema: { tags: ['admin orders'], summary: 'Accept a payment in review', params: idParams },
      },
      async ({ staff, params }, reply) => {
        const result = await acceptPayment(deps, params.id, staff)
        if (!result.ok) return replyReviewError(deps, reply, params.id, result.reason)
        deps.catalogChanged()
        return { order: await findOrder(deps, reply, result.orderId) }
      },
    )

    app.post(
      '/admin/payments/refuse/:id',
      {
        config: { permission: 'payments.refund', timeoutMs: GATEWAY_WAIT_MS },
        schema: {
          tags: ['admin orders'],
          summary: 'Refuse a payment in review and refund it',
          params: idParams,
          body: z.object({ reason: reasonField }),
        },
      },
      async ({ staff, params, body }, reply) => {
        const { reason } = body
        if (reason === '') return replyFieldError(reply, 'reason', 'admin-orders.reason-required')
        const result = await rejectPaymentInReview(deps, params.id, reason, staff)
        if (!result.ok) return replyReviewError(deps, reply, params.id, result.reason)
        return { order: await findOrder(deps, reply, result.orderId), refunds: result.refunds }
      },
    )
  }
}

/** Refunds through the gateway. */
function refundApi(deps: GatewayMoneyDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/gateway-refunds/:id',
      {
        config: { permission: 'payments.refund', timeoutMs: GATEWAY_WAIT_MS },
        schema: { tags: ['admin orders'], summary: 'Refund a payment through its gateway', params: idParams, body: refundBody },
      },
      async ({ staff, params, body }, reply) => {
        const result = await refundThroughGateway(deps, params.id, body, staff)
        if (result.ok) return { order: await findOrder(deps, reply, params.id), state: result.state }
        if (result.reason === 'changed') return reply.fail(409, 'admin-orders.changed', { order: await findOrder(deps, reply, params.id) })
        return replyRefundError(reply, result.reason)
      },
    )

    app.post(
      '/admin/refunds/resolve/:id',
      {
        config: { permission: 'payments.refund' },
        schema: {
          tags: ['admin orders'],
          summary: 'Record the outcome of a refund that the gateway did not report',
          params: idParams,
          body: resolveBody,
        },
      },
      async ({ staff, params, body }, reply) => {
        const result = await resolveRefund(deps, params.id, body, staff)
        return result.ok
          ? { order: await findOrder(deps, reply, result.orderId) }
          : replyResolveError(deps, reply, params.id, result.reason)
      },
    )
  }
}

type Reply = FastifyReply | Promise<FastifyReply>

type FieldText =
  | 'admin-orders.reason-required'
  | `admin-orders.${RefundLimitError}`
  | 'refunds.more-than-left'
  | `refunds.${'bad' | 'used'}-reference`

function replyFieldError(reply: FastifyReply, field: string, key: FieldText): Reply {
  return replyFieldErrors(reply, { [field]: [translate(reply.request.viewer.lang)(key)] })
}

/** Another person was faster with this payment or refund: the answer has the order as it is saved. */
async function replyDecided(
  deps: GatewayMoneyDeps,
  reply: FastifyReply,
  key: 'review.not-in-review' | 'refunds.decided',
  orderId?: number,
) {
  return reply.fail(409, key, orderId === undefined ? {} : { order: await findOrder(deps, reply, orderId) })
}

async function replyReviewError(deps: GatewayMoneyDeps, reply: FastifyReply, attemptId: number, reason: ReviewError): Promise<unknown> {
  switch (reason) {
    case 'not-found':
      return reply.fail(404, 'error.not-found')
    case 'gateway-silent':
      return reply.fail(502, 'review.gateway-silent')
    case 'not-in-review':
      return replyDecided(deps, reply, 'review.not-in-review', (await findAttempt(deps.db, attemptId))?.orderId)
    default:
      return reply.fail(409, `review.${reason}`)
  }
}

function replyRefundError(reply: FastifyReply, reason: Exclude<GatewayRefundError, 'changed'>): Reply {
  switch (reason) {
    case 'not-found':
      return reply.fail(404, 'error.not-found')
    case 'reason-required':
      return replyFieldError(reply, 'reason', 'admin-orders.reason-required')
    case 'more-than-left':
      return replyFieldError(reply, 'amount', 'refunds.more-than-left')
    case 'nothing-paid':
    case 'more-than-paid':
    case 'overpayment-written-off':
      return replyFieldError(reply, 'amount', `admin-orders.${reason}`)
    default:
      return reply.fail(409, `refunds.${reason}`)
  }
}

async function replyResolveError(
  deps: GatewayMoneyDeps,
  reply: FastifyReply,
  refundId: number,
  reason: (ResolveResult & { ok: false })['reason'],
): Promise<unknown> {
  if (reason === 'not-found') return reply.fail(404, 'error.not-found')
  if (reason === 'decided') return replyDecided(deps, reply, 'refunds.decided', (await findRefund(deps.db, refundId))?.orderId)
  return reason === 'in-flight' ? reply.fail(409, 'refunds.in-flight') : replyFieldError(reply, 'reference', `refunds.${reason}`)
}
