import { useState } from 'react'
import type { ListedRefund, ListedReview } from '#features/orders/payments/gateway-payments.server.ts'
import { PAYMENT_KINDS, LISTED_METHODS, PAYMENT_SORTS } from '#features/orders/payments/payment-list-rules.ts'
import type { PaymentRow } from '#features/orders/payments/payment-list.server.ts'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import { type KeysetPage, readListView } from '#lib/db/keyset.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { RefundChip, RefundDetails } from './gateway-refunds.tsx'
import { PaymentTabs } from './payment-tabs.tsx'
import { ReviewButtons, usePaidSum, useReviewReason } from './payment-review.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { hasFilters } from '../ui/url-query.ts'
import { ExportLink } from '../ui/export-link.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { Paging } from '../ui/paging.tsx'
import { methodName } from './method-name.ts'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  reviews: ListedReview[]
  refunds: ListedRefund[]
  list: KeysetPage<PaymentRow>
  query: Record<string, string>
  savedFilters: SavedFilter[]
}

/** Online payments that wait for a decision, refunds through the gateways that are not done, and all payments and refunds. */
export function Page({ reviews, refunds, ...list }: Props) {
  const { t } = useI18n()
  return (
    <AdminLayout title={t('admin.nav.payments')} actions={<ExportLink list="/admin/payments" />}>
      <PaymentTabs />
      <h2 className="mb-2 text-lg">{t('review.list')}</h2>
      <Reviews reviews={reviews} />
      <h2 className="mt-6 mb-2 text-lg">{t('refunds.title')}</h2>
      <Refunds refunds={refunds} />
      <h2 className="mt-6 mb-2 text-lg">{t('payments.all')}</h2>
      <Payments {...list} />
    </AdminLayout>
  )
}

function Reviews({ reviews }: Pick<Props, 'reviews'>) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [waiting, setWaiting] = useState(reviews)
  const reason = useReviewReason()
  const sum = usePaidSum()
  const done = (id: number) => setWaiting((now) => now.filter((one) => one.id !== id))
  const columns: Column<ListedReview>[] = [
    {
      key: 'order',
      head: t('admin-orders.order'),
      lead: true,
      cell: (row) => `${localizeDigits(lang, String(row.order_id))} · ${row.name}`,
    },
    { key: 'why', head: t('review.why'), cell: reason },
    {
      key: 'gateway',
      head: t('refunds.gateway'),
      cell: (row) => (
        <span>
          {t(`gateway.${row.gateway}`)} <span className="tabular-nums block break-all text-stone">{row.transaction}</span>
        </span>
      ),
    },
    { key: 'amount', head: t('advances.amount'), align: 'end', cell: (row) => <b>{sum(row)}</b> },
    { key: 'since', head: t('advances.waiting-since'), cell: (row) => formatDateTime(new Date(row.at), lang) },
    ...(can('payments.write')
      ? [
          {
            key: 'do',
            head: t('admin.table.actions'),
            cell: (row: ListedReview) => <ReviewButtons review={row} onDecided={() => done(row.id)} />,
          },
        ]
      : []),
  ]
  return (
    <DataTable
      label={t('review.list')}
      rows={waiting}
      columns={columns}
      rowKey={(row) => row.id}
      rowHref={(row) => `/admin/orders/update/${row.order_id}`}
      empty={t('review.empty')}
    />
  )
}

function Refunds({ refunds }: Pick<Props, 'refunds'>) {
  const { t, lang } = useI18n()
  const columns: Column<ListedRefund>[] = [
    {
      key: 'order',
      head: t('admin-orders.order'),
      lead: true,
      cell: (row) => `${localizeDigits(lang, String(row.order_id))} · ${row.name}`,
    },
    { key: 'state', head: t('admin-orders.status'), corner: true, cell: (row) => <RefundChip state={row.state} /> },
    { key: 'gateway', head: t('refunds.gateway'), cell: (row) => t(`gateway.${row.gateway}`) },
    { key: 'details', head: t('refunds.details'), cell: (row) => <RefundDetails refund={row} /> },
    { key: 'amount', head: t('advances.amount'), align: 'end', cell: (row) => <b>{money(row.amount, lang)}</b> },
  ]
  return (
    <DataTable
      label={t('refunds.title')}
      rows={refunds}
      columns={columns}
      rowKey={(row) => row.id}
      rowHref={(row) => `/admin/orders/update/${row.order_id}`}
      empty={t('refunds.empty')}
    />
  )
}

function Payments({ list, query, savedFilters }: Pick<Props, 'list' | 'query' | 'savedFilters'>) {
  const { t, lang } = useI18n()
  const { sort, order, size } = readListView(query, PAYMENT_SORTS, 25)
  const columns: Column<PaymentRow>[] = [
    {
      key: 'order',
      head: t('admin-orders.order'),
      lead: true,
      cell: (row) => [row.order_id && localizeDigits(lang, String(row.order_id)), shownName(row.name, lang)].filter(Boolean).join(' · '),
    },
    { key: 'when', head: t('audit.when'), sort: 'new', cell: (row) => formatDateTime(new Date(row.at), lang) },
    { key: 'kind', head: t('payments.kind'), cell: (row) => t(`ledger.${row.kind}`) },
    {
      key: 'method',
      head: t('admin-orders.method'),
      cell: (row) => (
        <span>
          {methodName(t, row.method)} <span className="tabular-nums block break-all text-stone">{row.reference}</span>
        </span>
      ),
    },
    { key: 'by', head: t('audit.who'), wideOnly: true, cell: (row) => row.by },
    {
      key: 'amount',
      head: t('advances.amount'),
      align: 'end',
      cell: (row) => <b className={row.amount < 0 ? 'text-terracotta' : ''}>{money(row.amount, lang)}</b>,
    },
  ]
  return (
    <>
      <FilterBar
        screen="payments"
        values={query}
        saved={savedFilters}
        fields={[
          { name: 'kind', label: t('payments.kind'), kind: 'select', options: PAYMENT_KINDS.map((kind) => [kind, t(`ledger.${kind}`)]) },
          {
            name: 'method',
            label: t('admin-orders.method'),
            kind: 'select',
            options: LISTED_METHODS.map((method) => [method, methodName(t, method)]),
          },
          { name: 'from', label: t('admin.from'), kind: 'date' },
          { name: 'to', label: t('admin.to'), kind: 'date' },
        ]}
      />
      <DataTable
        label={t('payments.all')}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => (row.order_id === null ? null : `/admin/orders/update/${row.order_id}`)}
        sort={{ by: sort, order }}
        empty={t(hasFilters(query) ? 'admin.table.empty-filtered' : 'admin.table.empty')}
      />
      <Paging prev={list.prev} next={list.next} size={size} />
    </>
  )
}
