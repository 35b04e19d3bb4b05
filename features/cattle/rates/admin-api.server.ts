import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { withIdempotencyKey } from '#lib/db/idempotency.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { planPrices, type PricePlan, setRates } from './commands.server.ts'
import { deleteRates } from './delete-rates.server.ts'
import { APPLY_WAIT_MS, deleteRatesQuery, ratePreviewBody, rateTableBody } from './forms.ts'
import { EMPTY_RATES_HASH } from './queries.server.ts'

const MAX_SHOWN = 200

/** A preview of price changes by new rates; taka and kilograms. */
export interface PricePreview {
  changes: { id: number; tag_number: string; name: string; weight_kg: number; before: number; after: number }[]
  /** The number of all changes, of which the first are listed. */
  total: number
  without_tier: number
  /** Tags of animals that keep their prices because of their discounts. */
  below_discount: string[]
  booked: number
  /** The hash of the plan; sent back to apply it. */
  planHash: string
}

/** Admin routes that preview, set and delete live-weight rates. */
export function ratesApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/rates/preview',
      {
        config: { permission: 'catalog.write' },
        schema: { tags: ['admin'], summary: 'Preview the price changes of new rates', body: ratePreviewBody },
      },
      async ({ body, viewer }) => previewOf(await planPrices(db, body), viewer.lang),
    )

    app.post(
      '/admin/rates/apply',
      {
        config: { permission: 'catalog.write', invalidatesCache: true, timeoutMs: APPLY_WAIT_MS },
        schema: { tags: ['admin'], summary: 'Set rates and the prices that follow from them', body: rateTableBody },
      },
      async (request, reply) => {
        const { staff, body, viewer } = request
        const { ratesHash, planHash, ...table } = body
        const outcome = await withIdempotencyKey(db, request, (tx) => setRates(tx, staff, table, { ratesHash, planHash }))
        if (outcome.ok) return { changed: outcome.changed, ratesHash: outcome.ratesHash }
        if (outcome.reason === 'stale') return reply.fail(409, ratesHash === EMPTY_RATES_HASH ? 'rates.exist' : 'admin.stale')
        if (outcome.reason === 'plan-changed') return reply.fail(409, 'rates.plan-changed')
        return reply.fail(422, 'error.invalid', { errors: { category_id: [translate(viewer.lang)('field.choose')] } })
      },
    )

    app.delete(
      '/admin/rates',
      {
        config: { permission: 'catalog.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Delete the rates of a category and season', querystring: deleteRatesQuery },
      },
      async ({ staff, query, viewer }, reply) => {
        const { ratesHash, ...table } = query
        const outcome = await deleteRates(db, staff, table, ratesHash)
        if (outcome.ok) return {}
        if (outcome.reason === 'stale') return reply.fail(409, 'admin.stale')
        return reply.fail(409, 'error.invalid', { text: translate(viewer.lang)('rates.in-use', { count: outcome.animals }) })
      },
    )
  }
}

function previewOf({ changes, withoutTier, belowDiscount, booked, hash }: PricePlan, lang: Lang): PricePreview {
  return {
    changes: changes.slice(0, MAX_SHOWN).map(({ id, tag_number, name_en, name_bn, grams, before, after }) => ({
      id,
      tag_number,
      name: lang === 'bn' ? name_bn : name_en,
      weight_kg: grams / 1000,
      before: before / 100,
      after: after / 100,
    })),
    total: changes.length,
    without_tier: withoutTier,
    below_discount: belowDiscount.slice(0, MAX_SHOWN),
    booked,
    planHash: hash,
  }
}
