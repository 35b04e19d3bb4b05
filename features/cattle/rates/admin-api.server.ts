import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Db } from '#lib/db/db.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { planPrices, type PricePlan, setRates } from './commands.server.ts'
import { ratePreviewBody, rateTableBody } from './forms.ts'
import { NO_RATES } from './queries.server.ts'

const MAX_SHOWN = 200

/** What new rates would change, as the admin shows it; taka and kilograms. */
export interface PricePreview {
  changes: { id: number; tag_number: string; name: string; weight_kg: number; before: number; after: number }[]
  /** How many change in all, of which the first are listed. */
  total: number
  without_tier: number
  booked: number
  mark: string
}

/** The calls that set live-weight rates, and show beforehand what that would change. */
export function ratesApi({ db }: { db: Db }): FastifyPluginAsyncZod {
  return async (app) => {
    app.post(
      '/admin/rates/preview',
      { config: { right: 'catalog.write' }, schema: { tags: ['admin'], summary: 'What new rates would change', body: ratePreviewBody } },
      async ({ body, viewer }) => previewOf(await planPrices(db, body), viewer.lang),
    )

    app.post(
      '/admin/rates/apply',
      {
        config: { right: 'catalog.write', invalidatesCache: true },
        schema: { tags: ['admin'], summary: 'Set rates, and the prices that follow from them', body: rateTableBody },
      },
      async ({ staff, body, viewer }, reply) => {
        const { seen, mark, ...table } = body
        const outcome = await setRates(db, staff, table, { seen, mark })
        if (outcome.ok) return { changed: outcome.changed, seen: outcome.seen }
        if (outcome.reason === 'stale') return reply.refuse(409, seen === NO_RATES ? 'rates.exist' : 'admin.stale')
        if (outcome.reason === 'plan-changed') return reply.refuse(409, 'rates.plan-changed')
        return reply.refuse(422, 'error.invalid', { errors: { category_id: [translate(viewer.lang)('field.choose')] } })
      },
    )
  }
}

function previewOf({ changes, withoutTier, booked, mark }: PricePlan, lang: 'en' | 'bn'): PricePreview {
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
    booked,
    mark,
  }
}
