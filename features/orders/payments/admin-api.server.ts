import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ADJUSTMENT_KINDS } from '#features/ledger/rules.ts'
import { MAX_REFERENCE_LENGTH } from '#lib/format/input-limits.ts'
import { idParams, positiveTakaField, requiredText, textField, versionField } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import { rejectAdvance, verifyAdvance, type VerifyResult } from '../advances/verify-advance.server.ts'
import { findAdminOrder } from '../history/order-details.server.ts'
import type { AdminDeps } from '../order-deps.ts'
import { replyFieldErrors } from '../field-errors.server.ts'
import { type AdjustmentResult, recordAdjustment, reverseAdjustment } from './adjustments.server.ts'
import { ADMIN_METHODS } from './ledger-rules.ts'
import { type LedgerResult, recordPayment, recordRefund } from './record-payment.server.ts'

const ledgerBody = z.object({
  method: z.enum(ADMIN_METHODS, { error: 'field.choose' }),
  amount: positiveTakaField(),
  transaction_id: z.string().max(MAX_REFERENCE_LENGTH).default(''),
  version: versionField,
  /** Required for an amount above the amount due. */
  confirmed: z.boolean().default(false),
  /** Sends the payment SMS. A refund sends none. */
  notify: z.boolean().default(true),
  /** Cash goes into the drawer of the own open shift, or a refund comes out of it. */
  drawer: z.boolean().default(false),
})

/** Routes of the admin that record payments and refunds, and decide about reported advances. */
export function ledgerAdminApi(deps: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(paymentsApi(deps))
    await app.register(adjustmentsApi(deps))
    await app.register(advancesApi(deps))
  }
}

/** Recording payments and refunds. */
function paymentsApi(deps: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    for (const [path, record, permission] of [
      ['payments', recordPayment, 'payments.write'],
      ['refunds', recordRefund, 'payments.refund'],
    ] as const) {
      app.post(
        `/admin/orders/${path}/:id`,
        {
          config: { permission },
          schema: { tags: ['admin orders'], summary: `Record one of an order's ${path}`, params: idParams, body: ledgerBody },
        },
        async ({ staff, viewer, params, body }, reply) => {
          const result = await record(deps, params.id, { ...body, drawer: body.drawer ? viewer.lang : null }, staff)
          const readOrder = () => findAdminOrder(deps.db, params.id, viewer.lang, staff.can('orders.reopen'))
          if (result.ok) return { order: await readOrder() }
          if (result.reason === 'changed') return reply.fail(409, 'admin-orders.changed', { order: await readOrder() })
          return replyLedgerError(reply, result.reason)
        },
      )
    }
  }
}

const adjustmentBody = z.strictObject({
  kind: z.enum(ADJUSTMENT_KINDS, { error: 'field.choose' }),
  amount: positiveTakaField(),
  reason: requiredText(),
  version: versionField,
})

/** Keeping a fee, writing off, and reversing both. */
function adjustmentsApi(deps: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/adjustments/:id',
      {
        config: { permission: 'payments.refund' },
        schema: { tags: ['admin orders'], summary: 'Keep a fee of a refund, or write off', params: idParams, body: adjustmentBody },
      },
      async ({ staff, params, body }, reply) =>
        answerAdjustment(deps, reply, params.id, await recordAdjustment(deps, params.id, body, staff)),
    )

    app.post(
      '/admin/orders/adjustments/reverse/:id',
      {
        config: { permission: 'payments.refund' },
        schema: {
          tags: ['admin orders'],
          summary: "Reverse an order's fees or write-offs",
          params: idParams,
          body: adjustmentBody.omit({ amount: true }),
        },
      },
      async ({ staff, params, body }, reply) =>
        answerAdjustment(deps, reply, params.id, await reverseAdjustment(deps, params.id, body, staff)),
    )
  }
}

async function answerAdjustment(deps: AdminDeps, reply: FastifyReply, id: number, result: AdjustmentResult): Promise<unknown> {
  const { staff, viewer } = reply.request
  const readOrder = () => findAdminOrder(deps.db, id, viewer.lang, staff.can('orders.reopen'))
  if (result.ok) return { order: await readOrder() }
  switch (result.reason) {
    case 'not-found':
      return reply.fail(404, 'error.not-found')
    case 'changed':
      return reply.fail(409, 'admin-orders.changed', { order: await readOrder() })
    case 'more-than-due':
    case 'more-than-refund-due':
      return replyFieldErrors(reply, { amount: [translate(viewer.lang)(`adjustments.${result.reason}`)] })
    default:
      return reply.fail(409, `adjustments.${result.reason}`)
  }
}

/** Deciding about reported advances. */
function advancesApi(deps: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/advances/verify/:id',
      {
        config: { permission: 'payments.write' },
        schema: {
          tags: ['admin orders'],
          summary: 'Verify a reported advance',
          params: idParams,
          body: z
            .object({
              amount: positiveTakaField().nullish(),
              confirmed: z.boolean().default(false),
            })
            .nullish(),
        },
      },
      async ({ staff, params, body }, reply) =>
        answerVerify(
          deps,
          reply,
          await verifyAdvance(deps, params.id, staff, { amount: body?.amount ?? null, confirmed: body?.confirmed ?? false }),
        ),
    )

    app.post(
      '/admin/advances/refuse/:id',
      {
        config: { permission: 'payments.write' },
        schema: {
          tags: ['admin orders'],
          summary: 'Reject a reported advance',
          params: idParams,
          body: z.object({ reason: textField().default('') }),
        },
      },
      async ({ staff, params, body }, reply) => answerVerify(deps, reply, await rejectAdvance(deps, params.id, body.reason, staff)),
    )
  }
}

type Reply = FastifyReply | Promise<FastifyReply>

function replyLedgerError(reply: FastifyReply, reason: Exclude<(LedgerResult & { ok: false })['reason'], 'changed'>): Reply {
  const t = translate(reply.request.viewer.lang)
  switch (reason) {
    case 'not-found':
      return reply.fail(404, 'error.not-found')
    case 'bad-transaction-id':
      return replyFieldErrors(reply, { transaction_id: [t('advance.bad-transaction-id')] })
    case 'used-transaction-id':
      return reply.fail(409, 'advance.used-transaction-id', { errors: { transaction_id: [t('advance.used-transaction-id')] } })
    case 'too-much':
      return askAboutAmount(reply)
    case 'no-shift':
      return reply.fail(409, 'admin-orders.drawer-closed')
    case 'more-than-there-is':
      return replyFieldErrors(reply, { amount: [t('pos.more-than-there-is')] })
    case 'nothing-paid':
    case 'more-than-paid':
    case 'overpayment-written-off':
      return replyFieldErrors(reply, { amount: [t(`admin-orders.${reason}`)] })
  }
}

/** The client repeats the call with `confirmed`. */
function askAboutAmount(reply: FastifyReply): Reply {
  const { lang } = reply.request.viewer
  return reply.fail(409, 'admin-orders.confirm-amount', { errors: { amount: [translate(lang)('admin-orders.confirm-amount')] } })
}

async function answerVerify(deps: AdminDeps, reply: FastifyReply, result: VerifyResult): Promise<unknown> {
  const { staff, viewer } = reply.request
  const t = translate(viewer.lang)
  const readOrder = (id: number) => findAdminOrder(deps.db, id, viewer.lang, staff.can('orders.reopen'))
  if (result.ok) return { order_id: result.orderId, late: result.late, refused: result.refused, order: await readOrder(result.orderId) }
  switch (result.reason) {
    case 'not-found':
      return reply.fail(404, 'error.not-found')
    case 'used-transaction-id':
      return reply.fail(409, 'advance.used-transaction-id')
    case 'reason-required':
      return replyFieldErrors(reply, { reason: [t('admin-orders.reason-required')] })
    case 'too-much':
      return askAboutAmount(reply)
    case 'decided':
      return reply.fail(409, `admin-orders.already-${result.state}`, { order: await readOrder(result.orderId) })
  }
}
