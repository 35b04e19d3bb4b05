import type { SalesPart } from '#features/reports/sales.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, poisha, type Poisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { BarChart } from '../ui/bar-chart.tsx'

/** A day or a month in words. */
export const namePeriod = (key: string, lang: Lang): string => (key.length === 10 ? formatDay(key, lang) : localizeDigits(lang, key))

/** Sales by day or by month. */
export function SalesChart({ label, parts }: { label: string; parts: SalesPart[] }) {
  const { t, lang } = useI18n()
  const taka = (poisha: Poisha) => formatTaka(poisha, lang)
  const bars = parts.map(({ key, orders, total_poisha }) => ({
    key,
    label: namePeriod(key, lang).split(' ').slice(0, 2).join(' '),
    value: total_poisha,
    title: `${namePeriod(key, lang)}: ${taka(total_poisha)}, ${t('reports.orders-count', { count: orders })}`,
  }))
  return <BarChart label={label} bars={bars} top={taka(poisha(Math.max(...bars.map(({ value }) => value), 0)))} />
}
