import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { givenName } from '#features/auth/placeholder-names.server.ts'
import { rejectPayment } from '#features/payments/api.server.ts'
import { startPayment, type StartResult } from '#features/payments/commands/start-payment.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { findPayableOrder, listAttempts } from '#features/payments/queries.server.ts'
import { MAX_REFERENCE_LENGTH } from '#lib/format/input-limits.ts'
import { idParams, textField, viewKeyField } from '#lib/form-fields.ts'
import { ORDER_BODY } from '#lib/http/body-limits.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { badKey, requestKey } from '#lib/http/idempotency-key.server.ts'
import { customerOrderBody, jsonTaka } from './forms.ts'
import { type AdvanceError, reportAdvance } from '../advances/report-advance.server.ts'
import { type Buyer, type CheckoutResult, checkout, type CheckoutDeps } from './checkout.server.ts'
import { orderVisitor } from '../order-access.server.ts'
import { openOrder } from '../queries.server.ts'
import { ADVANCE_METHODS } from '../types.ts'

export interface OrdersApiDeps extends Omit<CheckoutDeps, 'publicUrl'>, PaymentDeps {
  env: PaymentDeps['env'] & { sessionSecret: string; rateLimit: boolean }
  shopCache: CheckoutDeps['shopCache']
  /** Invalidates the caches of this process without waiting for the notification of the database. */
  catalogChanged(): void
  /** Sets the cookie of the order access token. */
  setOrderAccessCookie(reply: FastifyReply, token: string): void
}

const advanceBody = z.object({
  method: z.enum(ADVANCE_METHODS),
  transaction_id: z.string().max(MAX_REFERENCE_LENGTH),
  sender: textField().default(''),
  amount: jsonTaka.nullish(),
  key: viewKeyField.nullish(),
})

/** Routes that place orders and report advances sent by hand. */
export function ordersApi(deps: OrdersApiDeps): FastifyPluginAsyncZod {
  const orderDeps: CheckoutDeps = { ...deps, publicUrl: deps.env.publicUrl }
  return async (app) => {
    app.post(
      '/customer-orders',
      {
        bodyLimit: ORDER_BODY,
        config: { timeoutMs: GATEWAY_WAIT_MS },
        schema: { tags: ['orders'], summary: 'Place an order', body: customerOrderBody },
      },
      async (request, reply) => {
        const key = requestKey(request)
        if (key === null) return reply.fail(422, 'error.invalid', badKey(request.viewer.lang))
        const result = await checkout(orderDeps, request.body, { ...buyerOf(request), idempotencyKey: key, isKeySecret: true })
        if (!result.ok) return replyOrderError(request, reply, result)
        if (result.shown) deps.catalogChanged()
        if (result.newBrowser !== null) deps.setOrderAccessCookie(reply, result.newBrowser)
        if (result.payOnline) return goToPayment(deps, result.orderId, reply)
        return { order_id: result.orderId, ...(result.hasEnded ? { has_ended: true } : {}) }
      },
    )

    app.post(
      '/orders/:id/advance',
      {
        schema: {
          tags: ['orders'],
          summary: 'Report an advance sent by hand',
          params: idParams,
          body: advanceBody,
        },
      },
      async (request, reply) => {
        const { lang } = request.viewer
        const settings = await deps.shopCache.settings()
        const visitor = orderVisitor(request.viewer, request.body.key, { permission: 'orders.write', settings })
        const found = await openOrder(deps.db, request.params.id, { ...visitor, ip: request.ip }, lang)
        if (!found) return reply.fail(404, 'error.not-found')
        const result = await reportAdvance(deps.db, found.order, request.body, {
          now: deps.now(),
          actor: found.actor,
          expiry: settings.expiry,
        })
        if (!result.ok) return replyAdvanceError(reply, result.reason, lang)
        const { advance } = result
        const key = advance.is_duplicate ? 'advance.reported-before' : 'advance.reported'
        return { message: translate(lang)(key, { sms: deps.sms.canSend }), advance }
      },
    )
  }
}

/** The buyer, as far as the request tells: user, verified phone, language, browser, address. */
export function buyerOf({ viewer, ip }: FastifyRequest): Omit<Buyer, 'idempotencyKey' | 'isKeySecret'> {
  const { user, lang, issuedBrowser } = viewer
  return {
    userId: user?.id ?? null,
    verifiedPhone: user?.isPhoneVerified ? user.phone : null,
    isUnnamed: user !== null && givenName(user.name) === '',
    lang,
    browser: issuedBrowser,
    ip,
  }
}

type PaymentPage = { ok: true; redirectUrl: string | null } | Extract<StartResult, { ok: false }>

/** The payment page of an order. A repeated request gets the page that is already open. Null: nothing is to be paid online. */
export async function openPaymentPage(deps: PaymentDeps, orderId: number): Promise<PaymentPage> {
  const latest = (await listAttempts(deps.db, orderId))[0]
  if (latest?.redirectUrl && latest.state === 'pending') return { ok: true, redirectUrl: latest.redirectUrl }
  if (latest?.state === 'paid') return { ok: true, redirectUrl: null }
  // The payment method was changed after the first request: a repeated request opens no page.
  if (latest?.state === 'expired' && (await findPayableOrder(deps.db, orderId))?.gateway === 'NONE') return { ok: true, redirectUrl: null }
  const started = await startPayment(deps, orderId)
  return !started.ok && started.reason === 'nothing-to-pay' ? { ok: true, redirectUrl: null } : started
}

async function goToPayment(deps: PaymentDeps, orderId: number, reply: FastifyReply): Promise<unknown> {
  const page = await openPaymentPage(deps, orderId)
  if (page.ok) return page.redirectUrl === null ? { order_id: orderId } : { redirect_url: page.redirectUrl, order_id: orderId }
  if (page.reason === 'gateway-silent' || page.reason === 'gateway-refused') {
    const { lang } = reply.request.viewer
    const text = translate(lang)('refusal.gateway-away', { order: localizeDigits(lang, String(orderId)) })
    return reply.fail(502, 'refusal.gateway-needed', { text, order_id: orderId })
  }
  return rejectPayment(reply, page)
}

/** Replies with the error of an order that was not placed. */
export function replyOrderError(
  request: FastifyRequest,
  reply: FastifyReply,
  result: CheckoutResult & { ok: false },
): FastifyReply | Promise<FastifyReply> {
  if (result.status === 422) {
    const text = result.text ?? Object.values(result.errors).flat()[0] ?? translate(request.viewer.lang)('error.invalid')
    return reply.fail(422, 'error.invalid', { text, errors: result.errors, ...result.more })
  }
  if (result.status === 503) return reply.fail(503, result.key, { retryAfterSeconds: 1 })
  return reply.fail(result.status, result.key, { ...(result.text ? { text: result.text } : {}), ...result.more })
}

function replyAdvanceError(reply: FastifyReply, reason: AdvanceError, lang: Lang): FastifyReply | Promise<FastifyReply> {
  const t = translate(lang)
  switch (reason) {
    case 'bad-transaction-id':
      return reply.fail(422, 'error.invalid', {
        text: t('advance.bad-transaction-id'),
        errors: { transaction_id: [t('advance.bad-transaction-id')] },
      })
    case 'used-transaction-id':
      return reply.fail(409, 'advance.used-transaction-id', { errors: { transaction_id: [t('advance.used-transaction-id')] } })
    case 'order-ended':
      return reply.fail(410, 'advance.order-ended')
    case 'nothing-due':
      return reply.fail(409, 'advance.nothing-due')
    case 'too-many':
      return reply.fail(429, 'error.too-many')
  }
}
