import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { handleGatewayCallback, type CallbackResult } from './commands/handle-gateway-callback.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { acceptStrictForms, type FormFields } from '#features/payments/form-body.server.ts'
import { GATEWAY_WAIT_MS, type GatewayName } from '#features/payments/gateway.ts'
import { findHintedAttempt } from '#features/payments/queries.server.ts'

const BODY_LIMIT = 64 * 1024
/** Longest wait of a returning browser for its gateway. Then it gets the invoice, which shows that the payment is being checked. */
const BROWSER_WAIT_MS = 8_000

/**
 * Routes to which gateways send browsers and notifications. They use neither session nor anti-forgery token: a cross-site POST carries no
 * Lax cookie. The redirect to the confirmation or the invoice is a GET, which does.
 */
export function gatewayCallbacks(deps: PaymentDeps): (app: FastifyInstance) => Promise<void> {
  const handleCallback = async (gateway: GatewayName, fields: FormFields): Promise<CallbackResult> => {
    const hint = deps.gateways[gateway]?.readHint(fields)
    return hint ? handleGatewayCallback(deps, { gateway, hint }) : { ok: false, reason: 'unknown-attempt' }
  }

  const redirectBrowser = async (reply: FastifyReply, gateway: GatewayName, fields: FormFields) => {
    const pending = handleCallback(gateway, fields)
    const timeout = sleep(BROWSER_WAIT_MS, null, { ref: false })
    const result = await Promise.race([pending, timeout])
    if (result === null) pending.catch((error) => deps.log.warn({ err: error }, 'payment callback failed'))
    const orderId = result === null ? await findOrderOfCallback(deps, gateway, fields) : result.ok ? result.orderId : null
    // The confirmation thanks for the order: a payment of the rest comes later.
    const isPaid = result?.ok === true && result.status === 'paid' && !result.isRest
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
        redirectBrowser(reply, 'sslcommerz', (request.body ?? {}) as FormFields),
      )
      // A GET is typed in, reloaded or guessed: it records nothing and reveals nothing.
      app.get(url, { config: page, schema: { hide: true } }, (_request, reply) => reply.redirect('/', 303))
    }

    app.post(
      '/payments/sslcommerz/ipn',
      { config: { ...config, timeoutMs: GATEWAY_WAIT_MS }, bodyLimit: BODY_LIMIT, schema: { hide: true } },
      async (request, reply) => {
        await handleCallback('sslcommerz', (request.body ?? {}) as FormFields)
        return reply.type('text/plain').header('cache-control', 'no-store').send('OK')
      },
    )

    app.get('/payments/bkash/callback', { config: { ...config, page: true }, schema: { hide: true } }, (request, reply) =>
      redirectBrowser(reply, 'bkash', singleValues(request.query)),
    )
  }
}

async function findOrderOfCallback(deps: PaymentDeps, gateway: GatewayName, fields: FormFields): Promise<number | null> {
  const hint = deps.gateways[gateway]?.readHint(fields)
  const attempt = hint ? await findHintedAttempt(deps.db, gateway, hint) : null
  return attempt?.orderId ?? null
}

/** Drops repeated keys, which are arrays here. */
function singleValues(query: unknown): FormFields {
  return Object.fromEntries(Object.entries(query as object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
