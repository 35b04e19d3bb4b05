import { ADVANCE_STATES, type AdvanceState } from '#features/orders/advances/advance-history-rules.ts'
import type { ReportedAdvance } from '#features/orders/advances/advance-history.server.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { AdvanceTabs } from './advance-tabs.tsx'
import { methodName } from '../payments/method-name.ts'

export interface Props {
  page: KeysetPage<ReportedAdvance>
  query: Record<string, string>
}

const CHIPS: Record<AdvanceState, string> = { waiting: 'chip-mango', verified: 'chip-leaf', refused: 'chip-stone' }

/** All reported advances: state, who decided and when, and the reason of a rejection. */
export function Page({ page, query }: Props) {
  const { t, lang } = useI18n()
  const columns: Column<ReportedAdvance>[] = [
    {
      key: 'order',
      head: t('admin-orders.order'),
      lead: true,
      cell: (row) => `${localizeDigits(lang, String(row.order_id))} · ${row.name}`,
    },
    {
      key: 'state',
      head: t('admin-orders.status'),
      corner: true,
      cell: (row) => <span className={`chip ${CHIPS[row.state]} whitespace-nowrap`}>{t(`advance.state.${row.state}`)}</span>,
    },
    {
      key: 'sent',
      head: t('advances.sent'),
      cell: (row) => (
        <span>
          {methodName(t, row.method)} <b className="tabular-nums break-all select-all">{row.transaction_id}</b>
          <span className="block break-words text-stone">{localizeDigits(lang, row.sender)}</span>
        </span>
      ),
    },
    { key: 'amount', head: t('advances.amount'), align: 'end', cell: (row) => <b>{money(row.amount, lang)}</b> },
    { key: 'since', head: t('advances.waiting-since'), cell: (row) => formatDateTime(new Date(row.at), lang) },
    { key: 'decided', head: t('advances.decided'), cell: (row) => <Decision row={row} /> },
  ]
  return (
    <AdminLayout title={t('admin.nav.advances')}>
      <AdvanceTabs />
      <FilterBar
        screen="advance-history"
        values={query}
        fields={[
          { name: 'q', label: t('advances.find'), kind: 'search', hint: t('advances.find-hint') },
          {
            name: 'state',
            label: t('admin-orders.status'),
            kind: 'select',
            options: ADVANCE_STATES.map((state) => [state, t(`advance.state.${state}`)]),
          },
        ]}
      />
      <DataTable
        label={t('advances.history')}
        rows={page.rows}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/orders/update/${row.order_id}`}
        empty={query.q || query.state ? t('admin.table.empty-filtered') : t('advances.history-empty')}
      />
      <Paging prev={page.prev} next={page.next} />
    </AdminLayout>
  )
}

function Decision({ row }: { row: ReportedAdvance }) {
  const { t, lang } = useI18n()
  if (row.decided_at === null) return <span className="text-stone">{t('advances.undecided')}</span>
  return (
    <span className="block max-w-80">
      {formatDateTime(new Date(row.decided_at), lang)}
      {row.decided_by === null ? null : <span className="block text-stone">{t('admin-orders.by', { name: row.decided_by })}</span>}
      {row.reason === '' ? null : <span className="block break-words text-terracotta">{row.reason}</span>}
    </span>
  )
}
