import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { handleGatewayCallback, type SettleResult } from './commands/handle-gateway-callback.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { acceptStrictForms, type FormFields } from '#features/payments/form-body.server.ts'
import { GATEWAY_WAIT_MS, type GatewayName } from '#features/payments/gateway.ts'
import { findHintedAttempt } from '#features/payments/queries.server.ts'

const BODY_LIMIT = 64 * 1024
/** A browser is not kept waiting for a slow gateway: the invoice says that the payment is being checked. */
const BROWSER_WAIT_MS = 8_000

/**
 * Where gateways send browsers and notifications. No session, no token: a return is a post from another site, which brings
 * no Lax cookie; the confirmation or the invoice that it leads to is opened by a GET, which does.
 */
export function gatewayCallbacks(deps: PaymentDeps): (app: FastifyInstance) => Promise<void> {
  const settle = async (gateway: GatewayName, fields: FormFields): Promise<SettleResult> => {
    const hint = deps.gateways[gateway]?.readHint(fields)
    return hint ? handleGatewayCallback(deps, { gateway, hint }) : { ok: false, reason: 'unknown-attempt' }
  }

  const bringHome = async (reply: FastifyReply, gateway: GatewayName, fields: FormFields) => {
    const work = settle(gateway, fields)
    const late = sleep(BROWSER_WAIT_MS, null, { ref: false })
    const result = await Promise.race([work, late])
    if (result === null) work.catch((error) => deps.log.warn({ err: error }, 'payment not settled'))
    const orderId = result === null ? await orderOf(deps, gateway, fields) : result.ok ? result.orderId : null
    const isPaid = result?.ok === true && result.standing === 'paid'
    const page = isPaid ? `/order/confirmed/${orderId}` : `/invoice/${orderId}`
    return reply.header('cache-control', 'no-store').redirect(orderId === null ? '/' : page, 303)
  }

  return async (app) => {
    app.removeAllContentTypeParsers()
    acceptStrictForms(app)
    const config = { antiForgery: false, static: true }

    for (const end of ['success', 'fail', 'cancel']) {
      const url = `/payments/sslcommerz/${end}`
      const page = { ...config, page: true }
      app.post(url, { config: page, bodyLimit: BODY_LIMIT, schema: { hide: true } }, (request, reply) =>
        bringHome(reply, 'sslcommerz', (request.body ?? {}) as FormFields),
      )
      // Typed in, reloaded or opened by a stranger: it pays nothing and tells nothing.
      app.get(url, { config: page, schema: { hide: true } }, (_request, reply) => reply.redirect('/', 303))
    }

    app.post(
      '/payments/sslcommerz/ipn',
      { config: { ...config, timeoutMs: GATEWAY_WAIT_MS }, bodyLimit: BODY_LIMIT, schema: { hide: true } },
      async (request, reply) => {
        await settle('sslcommerz', (request.body ?? {}) as FormFields)
        return reply.type('text/plain').header('cache-control', 'no-store').send('OK')
      },
    )

    app.get('/payments/bkash/callback', { config: { ...config, page: true }, schema: { hide: true } }, (request, reply) =>
      bringHome(reply, 'bkash', singles(request.query)),
    )
  }
}

async function orderOf(deps: PaymentDeps, gateway: GatewayName, fields: FormFields): Promise<number | null> {
  const hint = deps.gateways[gateway]?.readHint(fields)
  const attempt = hint ? await findHintedAttempt(deps.db, gateway, hint) : null
  return attempt?.orderId ?? null
}

/** Repeated keys are arrays here, and name nothing. */
function singles(query: unknown): FormFields {
  return Object.fromEntries(Object.entries(query as object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
