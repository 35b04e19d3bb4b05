import { ButtonLink } from '#components/button.tsx'
import type { Period } from '#features/reports/period-rules.ts'
import type { SalesPart, SalesTotals } from '#features/reports/sales.server.ts'
import type { Balances, StockState, WeightGain } from '#features/reports/balances.server.ts'
import { formatDateTime, formatFullDay } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { MoneySection, StockSection, WeightSection } from './balances.tsx'
import { DaySection, PartSection } from './sales.tsx'
import { TotalCards } from './totals.tsx'
import { withQuery } from '../ui/url-query.ts'
import { FilterBar } from '../ui/filters.tsx'
import { AdminLayout } from '../ui/layout.tsx'

export interface Props {
  period: Period
  before: Period
  asOf: string | null
  totals: SalesTotals
  totalsBefore: SalesTotals
  days: SalesPart[]
  categories: SalesPart[]
  categoriesBefore: SalesPart[]
  areas: SalesPart[]
  areasBefore: SalesPart[]
  balances: Balances
  stock: StockState[]
  gains: WeightGain[]
  gained: { animals: number; grams: number }
}

/** Reports of a period, compared with the period before: sales, balances, stock. */
export function Page(props: Props) {
  const { t, lang } = useI18n()
  const { path } = usePageContext()
  const { period, before, asOf } = props
  return (
    <AdminLayout
      title={t('admin.nav.reports')}
      note={asOf ? <span className="text-sm text-stone">{t('reports.as-of', { time: formatDateTime(new Date(asOf), lang) })}</span> : null}
    >
      <FilterBar
        screen="reports"
        values={{ from: period.from, to: period.to }}
        fields={[
          { name: 'from', label: t('admin.from'), kind: 'date' },
          { name: 'to', label: t('admin.to'), kind: 'date' },
        ]}
      />
      <p className="mb-3 text-sm text-stone">
        {t('reports.compared', { from: formatFullDay(before.from, lang), to: formatFullDay(before.to, lang) })}
      </p>
      <TotalCards now={props.totals} before={props.totalsBefore} />
      <div className="mt-4 grid items-start gap-4 xl:grid-cols-2">
        <DaySection days={props.days} />
        <PartSection name="categories" parts={props.categories} before={props.categoriesBefore} />
        <PartSection name="areas" parts={props.areas} before={props.areasBefore} />
        <MoneySection balances={props.balances} writtenOff={props.totals.written_off_poisha} />
        <StockSection stock={props.stock} />
        <WeightSection gains={props.gains} gained={props.gained} />
      </div>
      <nav aria-label={t('admin.csv')} className="mt-4 flex flex-wrap gap-2">
        {(['days', 'categories', 'areas', 'due', 'held', 'refunds', 'stock', 'gains'] as const).map((name) => (
          <ButtonLink key={name} size="small" kind="secondary" href={withQuery(path, { download: name })} download>
            CSV: {t(`reports.${name}`)}
          </ButtonLink>
        ))}
      </nav>
    </AdminLayout>
  )
}
