import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { AdminDeps } from '#features/orders/order-deps.ts'
import { TEXT_BODY } from '#lib/http/body-limits.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { dhakaTime, formatTime } from '#lib/format/time.ts'
import { translate } from '#lib/i18n/translate.ts'
import { heldIdParams, holdSaleBody, resumeSaleBody } from './held-forms.ts'
import { MAX_HELD_SALES } from './held-rules.ts'
import { holdSale, listHeldSales, resumeSale } from './held-sales.server.ts'

/** The API of held sales: all of the shop, for every register. */
export function posHeldApi({ db, now }: AdminDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/admin/quick-orders/held',
      { config: { permission: 'pos.sell' }, schema: { tags: ['pos'], summary: 'The held sales of all registers' } },
      async () => ({ held: await listHeldSales(db, now()) }),
    )

    app.post(
      '/admin/quick-orders/held',
      {
        bodyLimit: TEXT_BODY,
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'Hold a sale for any register', body: holdSaleBody },
      },
      async ({ staff, body, viewer }, reply) => {
        const stored = await holdSale(db, staff, body, now())
        if (stored.ok) return { success: true, is_taken: stored.isTaken }
        if (stored.reason === 'key-reused') return reply.fail(409, 'refusal.key-reused', { reason: stored.reason })
        const text = translate(viewer.lang)('pos.held.too-many', { count: formatNumber(MAX_HELD_SALES, viewer.lang) })
        return reply.fail(409, 'error.invalid', { text, reason: stored.reason })
      },
    )

    app.post(
      '/admin/quick-orders/held/:id/resume',
      {
        config: { permission: 'pos.sell' },
        schema: { tags: ['pos'], summary: 'Resume a held sale; exactly one register gets it', params: heldIdParams, body: resumeSaleBody },
      },
      async ({ staff, params, body, viewer }, reply) => {
        const taken = await resumeSale(db, staff, params.id, body, now())
        if (taken.ok) return { name: taken.name, sale: taken.sale }
        if (taken.reason === 'gone') return reply.fail(404, 'pos.held.expired', { reason: taken.reason })
        const time = formatTime(dhakaTime(taken.at), viewer.lang)
        return reply.fail(409, 'error.invalid', {
          text: translate(viewer.lang)('pos.held.taken', { name: taken.by, time }),
          reason: taken.reason,
        })
      },
    )
  }
}
