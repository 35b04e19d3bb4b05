import { percentChange } from '#features/reports/period-rules.ts'
import type { SalesTotals } from '#features/reports/sales.server.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

const MONEY = [
  'total_poisha',
  'done_poisha',
  'discount_poisha',
  'shipping_poisha',
  'lost_poisha',
  'returned_poisha',
  'fees_poisha',
  'written_off_poisha',
] as const
/** Shown only where there are any. */
const RARE: readonly string[] = ['returned_poisha', 'fees_poisha', 'written_off_poisha']

/** The sums of the period, each beside the period before. */
export function TotalCards({ now, before }: { now: SalesTotals; before: SalesTotals }) {
  const { t, lang } = useI18n()
  const money = (poisha: Poisha) => formatTaka(poisha, lang)
  return (
    <ul className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      <Card
        label={t('reports.total.orders')}
        value={formatNumber(now.orders, lang)}
        was={formatNumber(before.orders, lang)}
        change={percentChange(now.orders, before.orders)}
      />
      {MONEY.filter((key) => !RARE.includes(key) || now[key] !== 0 || before[key] !== 0).map((key) => (
        <Card
          key={key}
          label={t(`reports.total.${key}`)}
          value={money(now[key])}
          was={money(before[key])}
          change={percentChange(now[key], before[key])}
        />
      ))}
    </ul>
  )
}

function Card({ label, value, was, change }: { label: string; value: string; was: string; change: number | null }) {
  return (
    <li className="admin-card min-w-0 px-4 py-3">
      <p className="text-sm text-stone">{label}</p>
      <p className={`tabular-nums wrap-anywhere font-semibold ${value.length > 10 ? 'text-base leading-8' : 'text-xl'}`}>{value}</p>
      <p className="tabular-nums flex flex-wrap gap-x-2 text-sm text-stone">
        <Change percent={change} />
        <span>{was}</span>
      </p>
    </li>
  )
}

/** Larger rises are shown as more than this. */
const MAX_PERCENT = 999

/** Up or down, with a sign besides the colour. */
export function Change({ percent }: { percent: number | null }) {
  const { lang } = useI18n()
  if (percent === null) return null
  const look = percent > 0 ? 'text-leaf-600' : percent < 0 ? 'text-terracotta' : ''
  return (
    <span className={`font-semibold whitespace-nowrap ${look}`}>
      {percent > 0 ? '▲ ' : percent < 0 ? '▼ ' : ''}
      {formatNumber(Math.min(Math.abs(percent), MAX_PERCENT), lang)}%{Math.abs(percent) > MAX_PERCENT ? '+' : ''}
    </span>
  )
}
