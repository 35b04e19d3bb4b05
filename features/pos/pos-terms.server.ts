import { listAreas } from '#features/catalog/areas/queries.server.ts'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import { readCalendar } from '#features/orders/delivery-calendar.server.ts'
import { listDate } from '#features/orders/list-date.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { PosTerms } from './pos-terms.ts'
import { enabledMethods } from './rules.ts'

/** The terms of the POS as of now, with the names of areas in this language. */
export async function readPosTerms(
  { db, shopCache }: { db: Db; shopCache: Pick<ShopCache, 'settings'> },
  lang: Lang,
  now: Date,
): Promise<PosTerms> {
  const settings = await shopCache.settings()
  const { cutoff_hour: cutoffHour } = settings
  const [areas, calendar] = await Promise.all([listAreas(db, true, lang), readCalendar(db, settings, listDate(now, cutoffHour))])
  return {
    areas,
    roundsCash: settings.cash_rounding,
    methods: enabledMethods(settings.pos_methods),
    walkInSales: settings.walk_in_sales,
    days: { cutoffHour, calendar, isCollectionOffered: settings.collection.is_offered },
  }
}
