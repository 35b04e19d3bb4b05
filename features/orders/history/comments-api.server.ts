import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type OrderActor, addOrderEvent } from '#features/audit/order-events.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { commentBody } from '../editing/forms.ts'
import { findAdminOrder } from './order-details.server.ts'

/** The route of the admin that adds a comment of staff to the timeline of an order. */
export function orderCommentsApi({ db, now }: { db: Db; now: () => Date }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/:id/comments',
      {
        config: { permission: 'orders.write' },
        schema: { tags: ['admin orders'], summary: 'Add an internal comment to an order', params: idParams, body: commentBody },
      },
      async (request, reply) => {
        const { staff, viewer, params, body } = request
        const added = await withIdempotencyKey(db, request, async (tx) => ({
          ok: await addOrderComment(tx, params.id, staff, body.text, now()),
        }))
        if (!added.ok) return reply.fail(404, 'error.not-found')
        return { order: await findAdminOrder(db, params.id, viewer.lang, staff.can('orders.reopen')) }
      },
    )
  }
}

/** Adds a comment, without a new version of the order; false when the order does not exist. */
async function addOrderComment(tx: Db, orderId: number, staff: OrderActor, text: string, now: Date): Promise<boolean> {
  const order = await tx.selectFrom('orders').select('id').where('id', '=', orderId).executeTakeFirst()
  if (order) await addOrderEvent(tx, orderId, staff, now, { kind: 'comment', detail: { text } })
  return order !== undefined
}
