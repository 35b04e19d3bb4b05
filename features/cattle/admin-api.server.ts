import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { findAdminOrder } from '#features/orders/history/order-details.server.ts'
import { idParams } from '#lib/form-fields.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import { formatKg } from '#lib/format/numbers.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import { formatDay } from '#lib/format/time.ts'
import { findWeighingOfAnimal, outcomeOf } from './settlement/final-weighings.server.ts'
import { weighInForm } from './forms.ts'
import { findScaleAnimal, listWeighInsOfAnimal } from './queries.server.ts'
import { deleteWeighIn } from './weigh-ins/delete-weigh-in.server.ts'
import { recordWeighIn, type WeighInDeps, type WeighInResult } from './weigh-ins/record-weigh-in.server.ts'
import { settleOrder, type SettleDeps } from './settlement/settle-order.server.ts'

/** Admin routes of weigh-ins and of settlements. */
export function cattleApi(deps: WeighInDeps & SettleDeps): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(weighInRoute(deps))
    await app.register(settlementRoute(deps))
  }
}

function weighInRoute(deps: WeighInDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/animals/:id/weigh-ins',
      {
        config: { permission: 'weighins.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Record a weigh-in of an animal', params: idParams, body: weighInForm },
      },
      async (request, reply) => {
        const { staff, params, body, viewer } = request
        const { weight_kg: grams, ...input } = body
        const recorded = await withIdempotencyKey(deps.db, request, (db) =>
          recordWeighIn({ ...deps, db }, params.id, { ...input, grams }, staff),
        )
        if (!recorded.ok) return rejectWeighIn(reply, recorded, viewer.lang)
        // The final weighing of the order that holds the animal, so that the page can offer the settlement. Customer and money are the order's.
        const final = await findWeighingOfAnimal(deps.db, params.id)
        const weighing = staff.can('orders.read') ? final : null
        // An earlier weigh-in leaves the weight of the animal as it is.
        const animal = await findScaleAnimal(deps.db, params.id)
        const history = await listWeighInsOfAnimal(deps.db, params.id)
        return {
          weigh_in_id: recorded.weighInId,
          order_id: recorded.orderId,
          outcome: final && outcomeOf(final),
          weighing,
          animal,
          history,
        }
      },
    )

    app.delete(
      '/admin/animals/:id/weigh-ins/:weighIn',
      {
        config: { permission: 'weighins.write', invalidatesCache: true },
        schema: {
          tags: ['admin'],
          summary: 'Delete a weigh-in that settled no order',
          params: idParams.extend({ weighIn: idParams.shape.id }),
        },
      },
      async ({ staff, params }, reply) => {
        const deleted = await deleteWeighIn(deps, params.id, params.weighIn, staff)
        if (deleted.ok) return { ok: true }
        return deleted.reason === 'not-found' ? reply.fail(404, 'error.not-found') : reply.fail(409, `weigh.delete-${deleted.reason}`)
      },
    )
  }
}

function rejectWeighIn(reply: FastifyReply, rejection: Extract<WeighInResult, { ok: false }>, lang: Lang) {
  const t = translate(lang)
  switch (rejection.reason) {
    case 'not-found':
      return reply.fail(404, 'error.not-found')
    case 'in-the-future':
      return reply.fail(422, 'error.invalid', { errors: { weighed_on: [t('weigh.future')] } })
    case 'picture-gone':
      return reply.fail(422, 'error.invalid', { errors: { image_id: [t('field.choose')] } })
    case 'no-rate':
    case 'below-discount':
      return reply.fail(422, 'error.invalid', { errors: { weight_kg: [t(`weigh.${rejection.reason}`)] } })
    case 'unexpected': {
      const { nearest } = rejection
      const text = t('weigh.unexpected', { kg: formatKg(nearest.grams, lang), day: formatDay(nearest.on, lang) })
      return reply.fail(409, 'weigh.confirm', { errors: { weight_kg: [text] } })
    }
  }
}

const settleBody = z.strictObject({
  animal_id: z.number().int().positive(),
  /** The weigh-in on the clerk's screen. A newer one is a conflict. */
  weigh_in_id: z.number().int().positive().nullish(),
})

function settlementRoute(deps: SettleDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/orders/:id/settle',
      {
        config: { permission: 'orders.write' },
        schema: { tags: ['admin'], summary: 'Settle an order by the final weigh-in of its animal', params: idParams, body: settleBody },
      },
      async ({ staff, params, body, viewer }, reply) => {
        const input = { orderId: params.id, animalId: body.animal_id, weighInId: body.weigh_in_id ?? null }
        const settled = await settleOrder(deps, input, staff)
        const shownOrder = () => findAdminOrder(deps.db, params.id, viewer.lang, staff.can('orders.reopen'))
        if (!settled.ok) {
          if (settled.reason === 'not-found') return reply.fail(404, 'error.not-found')
          // The order is shown as another press has settled it.
          if (settled.reason === 'settled') return reply.fail(409, 'settle.settled', { order: await shownOrder() })
          return reply.fail(settled.reason === 'weighed-again' ? 409 : 422, `settle.${settled.reason}`)
        }
        const { oldGrams, newGrams, ratePoisha, difference, due } = settled.settlement
        return {
          old_kg: oldGrams / 1000,
          new_kg: newGrams / 1000,
          rate_per_kg: poishaToTaka(ratePoisha),
          difference: poishaToTaka(difference),
          due: poishaToTaka(due),
          order: await shownOrder(),
        }
      },
    )
  }
}
