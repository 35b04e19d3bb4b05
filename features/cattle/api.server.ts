import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { z } from 'zod'
import { idParams } from '#lib/form-fields.ts'
import { translate } from '#lib/i18n.ts'
import { poishaToTaka } from '#lib/money.ts'
import { formatKg } from '#lib/numbers.ts'
import { once } from '#lib/once.server.ts'
import { formatDay } from '#lib/time.ts'
import { weighInForm } from './forms.ts'
import { recordWeighIn, type WeighInDeps } from './record-weigh-in.server.ts'
import { settleOrder, type SettleDeps } from './settle-order.server.ts'

/** The calls of the scale: a weighing is kept, an order is settled by it. */
export function cattleApi(deps: WeighInDeps & SettleDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/animals/:id/weigh-ins',
      {
        config: { right: 'weighins.write', shows: true },
        schema: { tags: ['office'], summary: 'Keep a weighing of an animal', params: idParams, body: weighInForm },
      },
      async (request, reply) => {
        const { staff, params, body, viewer } = request
        const t = translate(viewer.lang)
        const { weight_kg: grams, ...wish } = body
        if (wish.image_id !== null && !(await isImage(deps, wish.image_id)))
          return reply.refuse(422, 'error.invalid', { errors: { image_id: [t('field.choose')] } })
        const kept = await once(deps.db, request, (db) => recordWeighIn({ ...deps, db }, params.id, { ...wish, grams }, staff))
        if (kept.ok) return { weigh_in_id: kept.weighInId, order_id: kept.orderId }
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
          tags: ['office'],
          summary: 'Settle an order by the latest weighing of its animal',
          params: idParams,
          body: z.strictObject({ animal_id: z.number().int().positive() }),
        },
      },
      async ({ staff, params, body }, reply) => {
        const settled = await settleOrder(deps, params.id, body.animal_id, staff)
        if (!settled.ok) {
          if (settled.reason === 'not-found') return reply.refuse(404, 'error.not-found')
          return reply.refuse(settled.reason === 'settled' ? 409 : 422, `settle.${settled.reason}`)
        }
        const { oldGrams, newGrams, ratePoisha, difference, due } = settled.settlement
        return {
          old_kg: oldGrams / 1000,
          new_kg: newGrams / 1000,
          rate_per_kg: poishaToTaka(ratePoisha),
          difference: poishaToTaka(difference),
          due: poishaToTaka(due),
        }
      },
    )
  }
}

async function isImage({ db }: WeighInDeps, id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from images where id = ${id}`.execute(db)
  return rows.length > 0
}
