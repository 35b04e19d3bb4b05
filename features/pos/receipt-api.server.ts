import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { listPrintedOrders } from '#features/orders/printing/printable-order.server.ts'
import { findReturn } from './return-receipts.server.ts'
import { idParams } from '#lib/form-fields.ts'

/** The receipt of an order, which the POS prints without leaving its page. */
export function posReceiptApi({ db, env }: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/admin/quick-orders/receipts/:id',
      {
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'The receipt of an order, to be printed by the POS', params: idParams },
      },
      async ({ params, viewer, staff }, reply) => {
        const options = { lang: viewer.lang, publicUrl: env.publicUrl, counterOnly: !staff.can('orders.read') }
        const [printed] = await listPrintedOrders(db, [params.id], options)
        return printed ?? reply.fail(404, 'error.not-found')
      },
    )

    app.get(
      '/api/admin/quick-orders/return-receipts/:id',
      {
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'The receipt of a return, to be printed by the POS', params: idParams },
      },
      async ({ params, viewer, staff }, reply) => {
        const receipt = await findReturn(db, params.id, { lang: viewer.lang, counterOnly: !staff.can('orders.read') })
        return receipt ?? reply.fail(404, 'error.not-found')
      },
    )
  }
}
