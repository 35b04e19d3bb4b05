import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { idField } from '#lib/form-fields.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { findOpenShift } from '../pos/shift-queries.server.ts'
import { ORDER_STATUSES } from '../orders/rules.ts'
import { listDeliveryChecks } from './delivery-check.server.ts'
import { type DeliveryReminderDeps, sendDeliveryRemindersByStaff } from './delivery-reminders.server.ts'

const MAX_ORDERS = 100

const reminderBody = z
  .strictObject({
    orders: z.array(idField()).min(1).max(MAX_ORDERS).optional(),
  })
  .nullish()

/** Admin routes of deliveries: the check before a delivery, and the reminders of tomorrow's deliveries. */
export function deliveryApi(deps: DeliveryReminderDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/admin/orders/delivery-check',
      {
        config: { permission: 'orders.write' },
        schema: {
          tags: ['admin orders'],
          summary: 'List missing final weighings and amounts due before a delivery; whether an open shift can take cash',
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
      async ({ query, staff }) => {
        const [checks, shift] = await Promise.all([
          listDeliveryChecks(deps.db, query.ids, query.to, dhakaDate(deps.now())),
          findOpenShift(deps.db, staff.id),
        ])
        return { checks, has_drawer: shift !== null }
      },
    )

    app.post(
      '/admin/orders/remind-tomorrow',
      {
        config: { permission: 'sms.send', rateLimit: { max: 60, timeWindow: '1 minute' } },
        schema: {
          tags: ['admin'],
          summary: 'Remind customers by SMS of a delivery tomorrow: for these orders or for all, once each',
          body: reminderBody,
        },
      },
      async ({ staff, body }, reply) => {
        const { ok, ...reminded } = await sendDeliveryRemindersByStaff(deps, staff, body?.orders ?? null)
        return ok ? reminded : reply.fail(409, 'sms.tomorrow.quiet')
      },
    )
  }
}
