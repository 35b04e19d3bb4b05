import { ButtonLink } from '#components/button.tsx'
import type { AdjustmentDay, PaymentDay, PaymentSums } from '#features/reports/payments-by-day.server.ts'
import type { Period } from '#features/reports/period-rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { withQuery } from '../ui/url-query.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { methodName } from './method-name.ts'
import { PaymentTabs } from './payment-tabs.tsx'

export interface Props {
  period: Period
  maxDays: number
  days: PaymentDay[]
  methods: (PaymentSums & { method: string })[]
  adjustments: AdjustmentDay[]
}

/** Money received and refunded by day and method; each line leads to its entries. */
export function Page({ period, maxDays, days, methods, adjustments }: Props) {
  const { t, lang } = useI18n()
  const { path } = usePageContext()
  const ofMethod = useSumColumns<Props['methods'][number]>()
  const ofDay = useSumColumns<PaymentDay>()
  return (
    <AdminLayout title={t('money.days')}>
      <PaymentTabs />
      <FilterBar
        screen="payment-days"
        values={{ from: period.from, to: period.to }}
        fields={[
          { name: 'from', label: t('admin.from'), kind: 'date' },
          { name: 'to', label: t('admin.to'), kind: 'date' },
        ]}
      />
      <p className="mb-3 text-sm text-stone">{t('money.days-note', { days: formatNumber(maxDays, lang) })}</p>
      <h2 className="mb-2 text-lg">{t('money.by-method')}</h2>
      <DataTable
        label={t('money.by-method')}
        rows={methods}
        columns={[{ key: 'method', head: t('money.method'), lead: true, cell: (row) => methodName(t, row.method) }, ...ofMethod]}
        rowKey={(row) => row.method}
        empty={t('money.no-entries')}
      />
      {days.length === 0 ? null : (
        <>
          <h2 className="mt-6 mb-2 text-lg">{t('money.by-day')}</h2>
          <DataTable
            label={t('money.by-day')}
            rows={days}
            columns={[
              { key: 'day', head: t('money.day'), lead: true, cell: (row) => `${formatDay(row.day, lang)} · ${methodName(t, row.method)}` },
              ...ofDay,
            ]}
            rowKey={(row) => `${row.day} ${row.method}`}
            rowHref={(row) => `/admin/payments/days/${row.day}?method=${encodeURIComponent(row.method)}`}
          />
        </>
      )}
      {adjustments.length === 0 ? null : <Adjustments days={adjustments} />}
      <p className="mt-4">
        <ButtonLink size="small" kind="secondary" href={withQuery(path, { download: '1' })} download>
          {t('admin.csv')}
        </ButtonLink>
      </p>
    </AdminLayout>
  )
}

/** Fees retained and write-offs of each day. They are no money, so they are not in the sums above. */
function Adjustments({ days }: { days: AdjustmentDay[] }) {
  const { t, lang } = useI18n()
  const columns: Column<AdjustmentDay>[] = [
    { key: 'day', head: t('money.day'), lead: true, cell: (row) => `${formatDay(row.day, lang)} · ${methodName(t, row.kind)}` },
    {
      key: 'retained',
      head: t('advances.amount'),
      align: 'end',
      corner: true,
      cell: (row) => <b className="tabular-nums whitespace-nowrap">{formatTaka(row.retained_poisha, lang)}</b>,
    },
    { key: 'entries', head: t('money.entries'), align: 'end', wideOnly: true, cell: (row) => formatNumber(row.entries, lang) },
  ]
  return (
    <>
      <h2 className="mt-6 mb-2 text-lg">{t('money.adjustments')}</h2>
      <p className="mb-2 text-sm text-stone">{t('money.adjustments-note')}</p>
      <DataTable
        label={t('money.adjustments')}
        rows={days}
        columns={columns}
        rowKey={(row) => `${row.day} ${row.kind}`}
        rowHref={(row) => `/admin/payments/days/${row.day}?method=${row.kind}`}
      />
    </>
  )
}

function useSumColumns<Row extends PaymentSums>(): Column<Row>[] {
  const { t, lang } = useI18n()
  const column = (key: 'staff' | 'web' | 'pos' | 'refunds'): Column<Row> => ({
    key,
    head: t(`money.channel.${key}`),
    align: 'end',
    // A blank cell is left out of the cards of a phone.
    cell: (row) => {
      const poisha = row[`${key}_poisha`]
      return poisha === 0 ? null : <span className="tabular-nums whitespace-nowrap">{formatTaka(poisha, lang)}</span>
    },
  })
  return [
    column('staff'),
    column('web'),
    column('pos'),
    column('refunds'),
    {
      key: 'total',
      head: t('money.total'),
      align: 'end',
      corner: true,
      cell: (row) => <b className="tabular-nums whitespace-nowrap">{formatTaka(row.total_poisha, lang)}</b>,
    },
    { key: 'entries', head: t('money.entries'), align: 'end', wideOnly: true, cell: (row) => formatNumber(row.entries, lang) },
  ]
}
