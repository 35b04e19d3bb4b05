import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { LIST_BODY } from '#lib/http/body-limits.ts'
import { idParams } from '#lib/form-fields.ts'
import { badKey, requestKey } from '#lib/http/idempotency-key.server.ts'
import { findAdminOrder } from '../history/order-details.server.ts'
import { replyFieldErrors } from '../field-errors.server.ts'
import type { AdminDeps } from '../order-deps.ts'
import { returnProductsBody } from './forms.ts'
import { returnOrderProducts } from './return-products.server.ts'

/** The admin's route for products of an order that came back. */
export function returnsAdminApi(deps: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/returns/:id',
      {
        bodyLimit: LIST_BODY,
        config: { permission: 'orders.write' },
        schema: { tags: ['admin orders'], summary: 'Return products of an order', params: idParams, body: returnProductsBody },
      },
      async (request, reply) => {
        const { staff, viewer, params, body } = request
        const key = requestKey(request)
        if (key === null) return reply.fail(422, 'error.invalid', badKey(request.viewer.lang))
        const result = await returnOrderProducts(deps, params.id, body, staff, { lang: viewer.lang, idempotencyKey: key })
        const readOrder = () => findAdminOrder(deps.db, params.id, viewer.lang, staff.can('orders.reopen'))
        if (result.ok) return { return_id: result.returnId, order: await readOrder() }
        switch (result.reason) {
          case 'not-found':
            return reply.fail(404, 'error.not-found')
          case 'key-reused':
            return reply.fail(409, 'refusal.key-reused')
          case 'changed':
            return reply.fail(409, 'admin-orders.changed', { order: await readOrder() })
          case 'not-out':
            return reply.fail(409, 'returns.not-out')
          case 'invalid':
            return replyFieldErrors(reply, result.errors)
        }
      },
    )
  }
}
