import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { idParams } from '#lib/form-fields.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import { badKey, requestKey } from '#lib/http/idempotency-key.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { exchange } from './exchange.server.ts'
import { exchangeBody } from './forms.ts'
import { firstError } from './reply-errors.server.ts'
import { replyReturnError } from './return-api.server.ts'
import type { ReturnRejection } from './return-products.server.ts'
import { replySaleError } from './sale-api.server.ts'
import type { SupervisorDeps } from './supervisors.server.ts'

/** The API of exchanges: a return and the sale taken instead. */
export function posExchangeApi(deps: AdminDeps & SupervisorDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/quick-orders/exchange/:id',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'Exchange products of a sale for others', params: idParams, body: exchangeBody },
      },
      async (request, reply) => {
        const { staff, viewer, params, body } = request
        const key = requestKey(request)
        if (key === null) return reply.fail(422, 'error.invalid', badKey(request.viewer.lang))
        const result = await exchange(deps, params.id, body, staff, { lang: viewer.lang, idempotencyKey: key })
        if (result.ok) {
          const { orderId, returnId } = result
          const redirect = `/admin/quick-orders/pos-invoice/${orderId}`
          return { success: true, message: translate(viewer.lang)('pos.exchange.done'), order_id: orderId, return_id: returnId, redirect }
        }
        return result.side === 'sale' ? replySaleError(reply, result.rejection) : replyExchangedReturnError(reply, result.rejection)
      },
    )
  }
}

/** A rejected return of an exchange: errors at the fields of `exchange`, and reasons that no rejected sale has. */
function replyExchangedReturnError(reply: FastifyReply, rejection: ReturnRejection) {
  switch (rejection.reason) {
    case 'invalid':
    case 'changed':
    case 'approval': {
      const errors = Object.fromEntries(Object.entries(rejection.errors).map(([field, texts]) => [`exchange.${field}`, texts]))
      return reply.fail(422, 'error.invalid', {
        text: firstError(errors),
        errors,
        reason: `return-${rejection.reason}`,
        ...('refund' in rejection ? { refund: poishaToTaka(rejection.refund) } : {}),
      })
    }
    default:
      return replyReturnError(reply, rejection)
  }
}
