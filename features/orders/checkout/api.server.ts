import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { staffMay } from '#features/auth/staff-access.ts'
import { refusePayment } from '#features/payments/api.server.ts'
import { startPayment, type StartResult } from '#features/payments/commands/start-payment.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { findPayableOrder, listAttempts } from '#features/payments/queries.server.ts'
import { ORDER_BODY } from '#lib/http/body-limits.ts'
import { translate } from '#lib/i18n/translate.ts'
import { BAD_KEY, requestKey } from '#lib/http/idempotency-key.server.ts'
import { customerOrderBody, taka } from './forms.ts'
import { type AdvanceRefusal, reportAdvance } from '../advances/report-advance.server.ts'
import { type Buyer, type TakenOrder, checkout, type TakeOrderDeps } from './checkout.server.ts'
import { openOrder } from '../queries.server.ts'

export interface OrdersApiDeps extends Omit<TakeOrderDeps, 'publicUrl'>, PaymentDeps {
  env: PaymentDeps['env'] & { sessionSecret: string; rateLimit: boolean }
  facts: TakeOrderDeps['facts']
  /** The catalog changed in this process: kept pages are old at once, not when the database says so. */
  catalogChanged(): void
  /** Lets the browser keep the secret of its orders. */
  setOrderAccessCookie(reply: FastifyReply, secret: string): void
}

const advanceBody = z.object({
  method: z.enum(['bank', 'bkash', 'nagad']),
  transaction_id: z.string().max(100),
  sender: z.string().max(255).default(''),
  amount: taka.nullish(),
  key: z.string().max(100).nullish(),
  _token: z.string().optional(),
})

/** The calls that make orders, and that report an advance sent by hand. */
export function ordersApi(deps: OrdersApiDeps): FastifyPluginAsyncZod {
  const orderDeps: TakeOrderDeps = { ...deps, publicUrl: deps.env.publicUrl }
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
        if (key === null) return reply.refuse(422, 'error.invalid', BAD_KEY)
        const taken = await checkout(orderDeps, request.body, { ...buyerOf(request), idempotencyKey: key, isKeySecret: true })
        if (!taken.ok) return refuseOrder(request, reply, taken)
        if (taken.shown) deps.catalogChanged()
        if (taken.newBrowser !== null) deps.setOrderAccessCookie(reply, taken.newBrowser)
        return taken.payOnline ? goToPayment(deps, taken.orderId, reply) : { order_id: taken.orderId }
      },
    )

    app.post(
      '/orders/:id/advance',
      {
        schema: {
          tags: ['orders'],
          summary: 'Report an advance sent by hand',
          params: z.object({
            id: z
              .string()
              .regex(/^\d{1,15}$/)
              .transform(Number),
          }),
          body: advanceBody,
        },
      },
      async (request, reply) => {
        const { user, browser, lang } = request.viewer
        const settings = await deps.facts.settings()
        const isPermittedStaff = staffMay(user, 'orders.write', settings)
        const found = await openOrder(deps.db, request.params.id, { user, browser, key: request.body.key ?? null, isPermittedStaff }, lang)
        if (!found) return reply.refuse(404, 'error.not-found')
        const actor = { ...found.actor, ip: request.ip }
        const result = await reportAdvance(deps.db, found.order, request.body, { now: deps.now(), actor, expiry: settings.expiry })
        if (!result.ok) return refuseAdvance(reply, result.reason, lang)
        const { advance } = result
        return { message: translate(lang)(advance.is_duplicate ? 'advance.reported-before' : 'advance.reported'), advance }
      },
    )
  }
}

/** The sender of an order request, as far as the request itself says. */
export function buyerOf({ viewer, ip }: FastifyRequest): Omit<Buyer, 'idempotencyKey' | 'isKeySecret'> {
  const { user, lang, issuedBrowser } = viewer
  return { userId: user?.id ?? null, provenPhone: user?.phoneProven ? user.phone : null, lang, browser: issuedBrowser, ip }
}

type PaymentPage = { ok: true; redirectUrl: string | null } | Extract<StartResult, { ok: false }>

/** Where the shopper of an order pays; an order that was sent twice goes to the one page that was opened for it. Null: nothing is to be paid. */
export async function openPaymentPage(deps: PaymentDeps, orderId: number): Promise<PaymentPage> {
  const latest = (await listAttempts(deps.db, orderId))[0]
  if (latest?.redirectUrl && latest.state === 'pending') return { ok: true, redirectUrl: latest.redirectUrl }
  if (latest?.state === 'paid') return { ok: true, redirectUrl: null }
  // A repeated request for an order that is paid another way now opens no page for it.
  if (latest?.state === 'expired' && (await findPayableOrder(deps.db, orderId))?.gateway === 'NONE') return { ok: true, redirectUrl: null }
  const started = await startPayment(deps, orderId)
  return !started.ok && started.reason === 'nothing-to-pay' ? { ok: true, redirectUrl: null } : started
}

async function goToPayment(deps: PaymentDeps, orderId: number, reply: FastifyReply): Promise<unknown> {
  const page = await openPaymentPage(deps, orderId)
  if (page.ok) return page.redirectUrl === null ? { order_id: orderId } : { redirect_url: page.redirectUrl, order_id: orderId }
  if (page.reason === 'gateway-silent' || page.reason === 'gateway-refused') {
    const t = translate(reply.request.viewer.lang)
    return reply.refuse(502, 'refusal.gateway-needed', { text: t('refusal.gateway-away', { order: String(orderId) }), order_id: orderId })
  }
  return refusePayment(reply, page)
}

/** The answer to a shopper whose order was not taken. */
export function refuseOrder(
  request: FastifyRequest,
  reply: FastifyReply,
  taken: TakenOrder & { ok: false },
): FastifyReply | Promise<FastifyReply> {
  if (taken.status === 422) {
    const text = taken.text ?? Object.values(taken.errors).flat()[0] ?? translate(request.viewer.lang)('error.invalid')
    return reply.refuse(422, 'error.invalid', { text, errors: taken.errors, ...taken.more })
  }
  if (taken.status === 503) return reply.refuse(503, taken.key, { retryAfterSeconds: 1 })
  return reply.refuse(taken.status, taken.key, { ...(taken.text ? { text: taken.text } : {}), ...taken.more })
}

function refuseAdvance(reply: FastifyReply, reason: AdvanceRefusal, lang: 'en' | 'bn'): FastifyReply | Promise<FastifyReply> {
  const t = translate(lang)
  switch (reason) {
    case 'bad-transaction-id':
      return reply.refuse(422, 'error.invalid', {
        text: t('advance.bad-transaction-id'),
        errors: { transaction_id: [t('advance.bad-transaction-id')] },
      })
    case 'used-transaction-id':
      return reply.refuse(409, 'advance.used-transaction-id', { errors: { transaction_id: [t('advance.used-transaction-id')] } })
    case 'order-ended':
      return reply.refuse(410, 'advance.order-ended')
    case 'nothing-due':
      return reply.refuse(409, 'advance.nothing-due')
    case 'too-many':
      return reply.refuse(429, 'error.too-many')
  }
}
