import { type Period, periodBefore, readPeriod } from '#features/reports/period-rules.ts'
import { salesAsOf, salesByArea, salesByCategory, salesByDay, salesTotals } from '#features/reports/sales.server.ts'
import {
  advancesHeld,
  balancesDue,
  readBalances,
  refundsDue,
  SHOWN_ANIMALS,
  stockByState,
  storeCreditHeld,
  weightGained,
} from '#features/reports/balances.server.ts'
import type { CsvCell, CsvFile } from '#lib/csv/csv.server.ts'
import { type Translate, translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { AdminContext, AdminRoute } from '../admin-route.server.ts'
import { adminHead } from '../admin-head.server.ts'

export const reportsRoutes: AdminRoute[] = [
  {
    url: '/admin/reports',
    page: 'admin/reports/reports',
    permission: 'reports.read',
    readsReplica: true,
    async load(context) {
      const { db, lang, now, query } = context
      const period = readPeriod(query, dhakaDate(now))
      if (query.download !== undefined) return { csv: await csvOf(context, period) }
      const before = periodBefore(period)
      const [totals, totalsBefore, days, categories, categoriesBefore, areas, areasBefore, asOf, balances, stock, weights] =
        await Promise.all([
          salesTotals(db, period),
          salesTotals(db, before),
          salesByDay(db, period),
          salesByCategory(db, period, lang),
          salesByCategory(db, before, lang),
          salesByArea(db, period, lang),
          salesByArea(db, before, lang),
          salesAsOf(db),
          readBalances(db),
          stockByState(db),
          weightGained(db, period, lang, SHOWN_ANIMALS),
        ])
      const props = {
        period,
        before,
        asOf,
        totals,
        totalsBefore,
        days,
        categories,
        categoriesBefore,
        areas,
        areasBefore,
        balances,
        stock,
        ...weights,
      }
      return { props, head: adminHead(lang, { key: 'admin.nav.reports' }) }
    },
  },
]

/** One table of the reports as a file; an unknown name is the days. */
async function csvOf({ db, lang, query }: AdminContext, period: Period): Promise<CsvFile> {
  const requested = query.download ?? ''
  const name = Object.hasOwn(TABLES, requested) ? (requested as keyof typeof TABLES) : 'days'
  const { head, rows } = await TABLES[name](db, period, lang, translate(lang))
  return { filename: `khamar-${name}-${period.from}-${period.to}.csv`, head, rows }
}

type Table = { head: string[]; rows: CsvCell[][] }
type Read = (db: AdminContext['db'], period: Period, lang: Lang, t: Translate) => Promise<Table>

const taka = (poisha: number) => poisha / 100
const parts = (t: Translate, first: 'name' | 'day' | 'state') => [t(`reports.${first}`), t('reports.total.orders'), t('reports.taka')]

const TABLES = {
  days: async (db, period, _lang, t) => ({
    head: parts(t, 'day'),
    rows: (await salesByDay(db, period)).map((day) => [day.key, day.orders, taka(day.total_poisha)]),
  }),
  categories: async (db, period, lang, t) => ({
    head: parts(t, 'name'),
    rows: (await salesByCategory(db, period, lang)).map((part) => [
      part.name || t('reports.no-category'),
      part.orders,
      taka(part.total_poisha),
    ]),
  }),
  areas: async (db, period, lang, t) => ({
    head: parts(t, 'name'),
    rows: (await salesByArea(db, period, lang)).map((part) => [part.name || t('reports.no-area'), part.orders, taka(part.total_poisha)]),
  }),
  due: async (db, period, _lang, t) => {
    const [due, totals] = await Promise.all([balancesDue(db), salesTotals(db, period)])
    const writtenOff = [t('reports.total.written_off_poisha'), null, taka(totals.written_off_poisha)]
    const rows = due.map((one) => [t(`order-status.${one.status}`), one.orders, taka(one.poisha)])
    return { head: parts(t, 'state'), rows: totals.written_off_poisha === 0 ? rows : [...rows, writtenOff] }
  },
  held: async (db, _period, _lang, t) => ({
    head: parts(t, 'state'),
    rows: (await advancesHeld(db)).map((one) => [t(`order-status.${one.status}`), one.orders, taka(one.poisha)]),
  }),
  refunds: async (db, _period, _lang, t) => {
    const [refunds, credit] = await Promise.all([refundsDue(db), storeCreditHeld(db)])
    const rows = refunds.map((one) => [t(`order-status.${one.status}`), one.orders, taka(one.poisha)])
    return { head: parts(t, 'state'), rows: credit.count === 0 ? rows : [...rows, [t('reports.store-credit'), null, taka(credit.poisha)]] }
  },
  stock: async (db, _period, _lang, t) => ({
    head: [t('reports.state'), t('reports.animals'), t('reports.goods')],
    rows: (await stockByState(db)).map((one) => [t(`catalog.status.${one.status}`), one.animals, one.goods]),
  }),
  gains: async (db, period, lang, t) => ({
    head: (['tag', 'name', 'from-kg', 'to-kg', 'gained-kg', 'days-count'] as const).map((key) => t(`reports.${key}`)),
    rows: (await weightGained(db, period, lang, null)).gains.map((one) => [
      one.tag,
      one.name,
      one.from_grams / 1000,
      one.to_grams / 1000,
      (one.to_grams - one.from_grams) / 1000,
      one.days,
    ]),
  }),
} as const satisfies Record<string, Read>
