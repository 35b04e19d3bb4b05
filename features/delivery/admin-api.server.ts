import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ORDER_STATUSES } from '../orders/rules.ts'
import { listDeliveryChecks } from './delivery-check.server.ts'
import type { AdminDeps } from '../orders/order-deps.ts'

const MAX_ORDERS = 100

/** The call behind the question that is asked before orders go out or are delivered. */
export function deliveryApi({ db }: Pick<AdminDeps, 'db'>): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/admin/orders/delivery-check',
      {
        config: { right: 'orders.write' },
        schema: {
          tags: ['admin orders'],
          summary: 'List what is open about orders before they go out or are delivered',
          querystring: z.object({
            ids: z
              .string()
              .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/)
              .transform((ids) => ids.split(',').map(Number))
              .refine((ids) => ids.length <= MAX_ORDERS),
            to: z.enum(ORDER_STATUSES),
          }),
        },
      },
      async ({ query }) => ({ checks: await listDeliveryChecks(db, query.ids, query.to) }),
    )
  }
}
