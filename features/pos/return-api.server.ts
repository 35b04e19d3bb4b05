import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import { translate } from '#lib/i18n/translate.ts'
import { idParams } from '#lib/form-fields.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import { badKey, requestKey } from '#lib/http/idempotency-key.server.ts'
import { returnBody } from './forms.ts'
import { firstError } from './reply-errors.server.ts'
import { returnProducts, type ReturnRejection } from './return-products.server.ts'
import type { SupervisorDeps } from './supervisors.server.ts'
import { replySupervisorError } from './supervisors-api.server.ts'

/** The API of returns. */
export function posReturnApi(deps: AdminDeps & SupervisorDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/quick-orders/return/:id',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'Return products of a sale', params: idParams, body: returnBody },
      },
      async (request, reply) => {
        const { staff, viewer, params, body } = request
        const key = requestKey(request)
        if (key === null) return reply.fail(422, 'error.invalid', badKey(request.viewer.lang))
        const result = await returnProducts(deps, params.id, body, staff, { lang: viewer.lang, idempotencyKey: key })
        if (result.ok) {
          const redirect = `/admin/quick-orders/return-receipts/${result.returnId}`
          return { success: true, message: translate(viewer.lang)('pos.return.done'), return_id: result.returnId, redirect }
        }
        return replyReturnError(reply, result)
      },
    )
  }
}

/** The response to a rejected return. */
export function replyReturnError(reply: FastifyReply, result: ReturnRejection) {
  switch (result.reason) {
    case 'key-reused':
      return reply.fail(409, 'refusal.key-reused')
    case 'no-shift':
      return reply.fail(409, 'pos.no-shift', { open_shift: '/admin/quick-orders/shift/open' })
    case 'not-found':
      return reply.fail(404, 'pos.return.not-found')
    case 'not-out':
    case 'settled':
    case 'returned':
      return reply.fail(409, `pos.return.${result.reason}`, { reason: result.reason })
    case 'changed':
      return reply.fail(422, 'error.invalid', {
        text: firstError(result.errors),
        errors: result.errors,
        refund: poishaToTaka(result.refund),
      })
    case 'approval':
      return reply.fail(422, 'error.invalid', {
        text: firstError(result.errors),
        errors: result.errors,
        reason: result.reason,
        approval_needed: { refund: poishaToTaka(result.refund) },
      })
    case 'wrong':
    case 'too-many':
      return replySupervisorError(reply, result)
    case 'invalid':
      return reply.fail(422, 'error.invalid', { text: firstError(result.errors), errors: result.errors })
  }
}
