import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import { badKey, earlierKeys, requestKey } from '#lib/http/idempotency-key.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { receiptlessReturnBody } from './forms.ts'
import { replyReturnError } from './return-api.server.ts'
import { returnWithoutReceipt } from './return-without-receipt.server.ts'
import type { SupervisorDeps } from './supervisors.server.ts'

/** The API of returns whose sale is not found. */
export function posReceiptlessReturnApi(deps: AdminDeps & SupervisorDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/quick-orders/return-without-receipt',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'Return products without a receipt', body: receiptlessReturnBody },
      },
      async (request, reply) => {
        const { staff, viewer, body } = request
        const key = requestKey(request)
        if (key === null) return reply.fail(422, 'error.invalid', badKey(request.viewer.lang))
        const options = { lang: viewer.lang, idempotencyKey: key, earlier: earlierKeys(request) }
        const result = await returnWithoutReceipt(deps, body, staff, options)
        if (!result.ok) return replyReturnError(reply, result)
        const redirect = `/admin/quick-orders/return-receipts/${result.returnId}`
        const done = { success: true, message: translate(viewer.lang)('pos.return.done'), return_id: result.returnId, redirect }
        // The cashier says whether the same return came once more.
        return result.recordedAt ? { ...done, recorded_at: result.recordedAt } : done
      },
    )
  }
}
