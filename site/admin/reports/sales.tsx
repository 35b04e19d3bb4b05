import { percentChange } from '#features/reports/period-rules.ts'
import type { SalesPart } from '#features/reports/sales.server.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { namePeriod, SalesChart } from './sales-chart.tsx'
import { ReportTable, Section } from './section.tsx'
import { Change } from './totals.tsx'

/** Sales by day, or by month when the period is long. */
export function DaySection({ days }: { days: SalesPart[] }) {
  const { t, lang } = useI18n()
  return (
    <Section title={t('reports.days')} wide>
      <SalesChart label={t('reports.days')} parts={days} />
      <details className="mt-2">
        <summary className="inline-flex min-h-11 items-center text-sm font-semibold text-leaf-600 underline underline-offset-4">
          {t('reports.table')}
        </summary>
        <ReportTable
          label={t('reports.days')}
          head={[t('reports.day'), t('reports.total.orders'), t('reports.taka')]}
          rows={days.map(({ key, orders, total_poisha }) => [
            namePeriod(key, lang),
            formatNumber(orders, lang),
            formatTaka(total_poisha, lang),
          ])}
        />
      </details>
    </Section>
  )
}

/** Sales by category or area, with bars, beside the period before. */
export function PartSection({ name, parts, before }: { name: 'categories' | 'areas'; parts: SalesPart[]; before: SalesPart[] }) {
  const { t, lang } = useI18n()
  const max = Math.max(...parts.map(({ total_poisha }) => total_poisha), 1)
  const was = new Map(before.map(({ key, total_poisha }) => [key, total_poisha]))
  return (
    <Section title={t(`reports.${name}`)} hint={name === 'categories' ? t('reports.categories-hint') : undefined}>
      <ReportTable
        label={t(`reports.${name}`)}
        wideOnly={1}
        head={[t('reports.name'), t('reports.total.orders'), t('reports.taka'), t('reports.change')]}
        rows={parts.map(({ key, name: title, orders, total_poisha }) => [
          <span key="name" className="relative block min-w-28">
            {title || t(name === 'areas' ? 'reports.no-area' : 'reports.no-category')}
            <span
              className="mt-1 block h-1.5 rounded-pill bg-leaf-600 forced-colors:bg-[CanvasText]"
              style={{ width: `${Math.max(1, Math.round((total_poisha / max) * 100))}%` }}
            />
          </span>,
          formatNumber(orders, lang),
          formatTaka(total_poisha, lang),
          <Change key="change" percent={percentChange(total_poisha, was.get(key) ?? 0)} />,
        ])}
      />
    </Section>
  )
}
