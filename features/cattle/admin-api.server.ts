import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { z } from 'zod'
import { findAdminOrder } from '#features/orders/history/order-details.server.ts'
import { idParams } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n/translate.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import { formatKg } from '#lib/format/numbers.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { formatDay } from '#lib/format/time.ts'
import { findWeighingOfAnimal } from './settlement/final-weighings.server.ts'
import { weighInForm } from './forms.ts'
import { recordWeighIn, type WeighInDeps } from './weigh-ins/record-weigh-in.server.ts'
import { settleOrder, type SettleDeps } from './settlement/settle-order.server.ts'

/** The calls of the scale: a weighing is kept, an order is settled by it. */
export function cattleApi(deps: WeighInDeps & SettleDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/animals/:id/weigh-ins',
      {
        config: { right: 'weighins.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Keep a weighing of an animal', params: idParams, body: weighInForm },
      },
      async (request, reply) => {
        const { staff, params, body, viewer } = request
        const t = translate(viewer.lang)
        const { weight_kg: grams, ...wish } = body
        if (wish.image_id !== null && !(await isImage(deps, wish.image_id)))
          return reply.refuse(422, 'error.invalid', { errors: { image_id: [t('field.choose')] } })
        const kept = await withIdempotencyKey(deps.db, request, (db) =>
          recordWeighIn({ ...deps, db }, params.id, { ...wish, grams }, staff),
        )
        if (kept.ok) {
          // The booking that this weigh-in may settle, for the screen to offer it.
          const weighing = await findWeighingOfAnimal(deps.db, params.id)
          return { weigh_in_id: kept.weighInId, order_id: kept.orderId, weighing }
        }
        switch (kept.reason) {
          case 'not-found':
            return reply.refuse(404, 'error.not-found')
          case 'in-the-future':
            return reply.refuse(422, 'error.invalid', { errors: { weighed_on: [t('weigh.future')] } })
          case 'no-rate':
          case 'below-discount':
            return reply.refuse(422, 'error.invalid', { errors: { weight_kg: [t(`weigh.${kept.reason}`)] } })
          case 'unexpected': {
            const { lang } = viewer
            const text = t('weigh.unexpected', { kg: formatKg(kept.last.grams, lang), day: formatDay(kept.last.on, lang) })
            return reply.refuse(409, 'weigh.confirm', { errors: { weight_kg: [text] } })
          }
        }
      },
    )

    app.post(
      '/admin/orders/:id/settle',
      {
        config: { right: 'orders.write' },
        schema: {
          tags: ['admin'],
          summary: 'Settle an order by the final weigh-in of its animal',
          params: idParams,
          body: z.strictObject({
            animal_id: z.number().int().positive(),
            /** The weigh-in that the clerk saw; another one since is refused. */
            weigh_in_id: z.number().int().positive().nullish(),
          }),
        },
      },
      async ({ staff, params, body, viewer }, reply) => {
        const wanted = { orderId: params.id, animalId: body.animal_id, weighInId: body.weigh_in_id ?? null }
        const settled = await settleOrder(deps, wanted, staff)
        if (!settled.ok) {
          if (settled.reason === 'not-found') return reply.refuse(404, 'error.not-found')
          const isConflict = settled.reason === 'settled' || settled.reason === 'weighed-again'
          return reply.refuse(isConflict ? 409 : 422, `settle.${settled.reason}`)
        }
        const { oldGrams, newGrams, ratePoisha, difference, due } = settled.settlement
        return {
          old_kg: oldGrams / 1000,
          new_kg: newGrams / 1000,
          rate_per_kg: poishaToTaka(ratePoisha),
          difference: poishaToTaka(difference),
          due: poishaToTaka(due),
          order: await findAdminOrder(deps.db, params.id, viewer.lang, staff.can('orders.reopen')),
        }
      },
    )
  }
}

async function isImage({ db }: WeighInDeps, id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from images where id = ${id}`.execute(db)
  return rows.length > 0
}
