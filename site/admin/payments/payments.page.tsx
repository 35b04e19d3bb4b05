import { useState } from 'react'
import type { ListedRefund, ListedReview } from '#features/orders/payments/gateway-payments.server.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { RefundChip, RefundDetails } from './gateway-refunds.tsx'
import { ReviewButtons, usePaidSum, useReviewReason } from './payment-review.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  reviews: ListedReview[]
  refunds: ListedRefund[]
}

/** Online payments that wait for a decision, and refunds through the gateways that are not done. */
export function Page({ reviews, refunds }: Props) {
  const { t } = useI18n()
  return (
    <AdminLayout title={t('admin.nav.payments')}>
      <h2 className="mb-2 text-lg">{t('review.list')}</h2>
      <Reviews reviews={reviews} />
      <h2 className="mt-6 mb-2 text-lg">{t('refunds.title')}</h2>
      <Refunds refunds={refunds} />
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
