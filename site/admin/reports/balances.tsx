import type { Balances, OpenMoney, StockState, WeightGain } from '#features/reports/balances.server.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import { formatKg, formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { ReportTable, Section } from './section.tsx'

const LINK = 'font-semibold text-leaf-600 underline underline-offset-4'

interface MoneySectionProps {
  balances: Balances
  /** Written off in the period, in poisha. */
  writtenOff: Poisha
}

/** Amounts due from customers, what was written off, advances held for open orders, and what the shop owes: refunds and store credit. */
export function MoneySection({ balances: { due, held, waiting, refunds, credit }, writtenOff }: MoneySectionProps) {
  const { t, lang } = useI18n()
  const table = (label: string, rows: OpenMoney[]) => (
    <ReportTable
      label={label}
      head={[t('reports.state'), t('reports.total.orders'), t('reports.taka')]}
      rows={rows.map(({ status, orders, poisha }) => [t(`order-status.${status}`), formatNumber(orders, lang), formatTaka(poisha, lang)])}
    />
  )
  return (
    <Section title={t('reports.money')}>
      <h3 className="mt-1 font-semibold">{t('reports.due')}</h3>
      {table(t('reports.due'), due)}
      {writtenOff === 0 ? null : <p className="tabular-nums mt-2">{t('reports.written-off', { sum: formatTaka(writtenOff, lang) })}</p>}
      <h3 className="mt-4 font-semibold">{t('reports.held')}</h3>
      {table(t('reports.held'), held)}
      <p className="mt-4">
        <a href="/admin/advances" className={LINK}>
          {t('reports.waiting', { count: waiting.count, sum: formatTaka(waiting.poisha, lang) })}
        </a>
      </p>
      {refunds.length === 0 ? null : (
        <>
          <h3 className="mt-4 font-semibold">
            <a href="/admin/orders?due=refund" className={LINK}>
              {t('reports.refunds')}
            </a>
          </h3>
          {table(t('reports.refunds'), refunds)}
        </>
      )}
      {credit.count === 0 ? null : (
        <p className="tabular-nums mt-4">{t('reports.credit', { count: credit.count, sum: formatTaka(credit.poisha, lang) })}</p>
      )}
    </Section>
  )
}

export function StockSection({ stock }: { stock: StockState[] }) {
  const { t, lang } = useI18n()
  return (
    <Section title={t('reports.stock')}>
      <ReportTable
        label={t('reports.stock')}
        head={[t('reports.state'), t('reports.animals'), t('reports.goods')]}
        rows={stock.map(({ status, animals, goods }) => [
          t(`catalog.status.${status}`),
          formatNumber(animals, lang),
          formatNumber(goods, lang),
        ])}
      />
    </Section>
  )
}

/** `gains`: the largest ones. `gained`: the sum of all. */
export function WeightSection({ gains, gained }: { gains: WeightGain[]; gained: { animals: number; grams: number } }) {
  const { t, lang } = useI18n()
  return (
    <Section title={t('reports.gains')} wide>
      {gains.length > 0 ? (
        <p className="mb-2 text-stone">{t('reports.gains-sum', { animals: gained.animals, kg: formatKg(gained.grams, lang) })}</p>
      ) : null}
      <ReportTable
        label={t('reports.gains')}
        wideOnly={2}
        head={[t('reports.animal'), t('reports.weight'), t('reports.gained'), t('reports.a-day')]}
        rows={gains.map(({ id, tag, name, from_grams, to_grams, days }) => [
          <a key={id} href={`/admin/products/${id}`} className="hover:underline">
            {tag ? <span className="ear-tag me-1.5 text-xs">{tag}</span> : null}
            {name}
          </a>,
          `${formatNumber(from_grams / 1000, lang)} → ${formatKg(to_grams, lang)}`,
          formatKg(to_grams - from_grams, lang),
          days > 0 ? formatKg(Math.round((to_grams - from_grams) / days), lang) : '–',
        ])}
      />
    </Section>
  )
}
