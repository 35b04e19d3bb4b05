import { ButtonLink } from '#components/button.tsx'
import type { PaymentEntry } from '#features/reports/payments-by-day.server.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { formatTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { dhakaTime, formatFullDay, formatTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FIRST_PAGE, withQuery } from '../ui/url-query.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { methodName } from './method-name.ts'

export interface Props {
  day: string
  method: string
  page: KeysetPage<PaymentEntry>
}

/** The ledger entries of one method on one day. */
export function Page({ day, method, page }: Props) {
  const { t, lang } = useI18n()
  const { path } = usePageContext()
  const columns: Column<PaymentEntry>[] = [
    {
      key: 'order',
      head: t('admin-orders.order'),
      lead: true,
      cell: (row) =>
        row.order_id === null ? (
          t('money.no-order')
        ) : (
          <a href={`/admin/orders/update/${row.order_id}`} className="tap hover:underline">
            {localizeDigits(lang, String(row.order_id))} · {shownName(row.name, lang)}
          </a>
        ),
    },
    { key: 'kind', head: t('money.kind'), cell: (row) => t(`ledger.${row.kind}`) },
    { key: 'channel', head: t('money.channel'), cell: (row) => t(`money.channel.${row.channel}`) },
    {
      key: 'reference',
      head: t('admin-orders.transaction'),
      cell: (row) => <span className="tabular-nums break-all select-all">{row.reference ?? '–'}</span>,
    },
    {
      key: 'amount',
      head: t('advances.amount'),
      align: 'end',
      corner: true,
      cell: (row) => <b className="tabular-nums whitespace-nowrap">{formatTaka(row.amount_poisha, lang)}</b>,
    },
    {
      key: 'at',
      head: t('money.time'),
      cell: (row) => <time dateTime={row.at}>{formatTime(dhakaTime(new Date(row.at)), lang)}</time>,
    },
    { key: 'by', head: t('money.by'), wideOnly: 'table', cell: (row) => row.by ?? t('money.gateway') },
  ]
  return (
    <AdminLayout
      title={`${methodName(t, method)}, ${formatFullDay(day, lang)}`}
      back={{ href: `/admin/payments/days?from=${day}&to=${day}`, label: t('money.days') }}
    >
      <DataTable label={t('money.entries')} rows={page.rows} columns={columns} rowKey={(row) => row.id} empty={t('money.no-entries')} />
      <Paging prev={page.prev} next={page.next} />
      <p className="mt-4">
        <ButtonLink size="small" kind="secondary" href={withQuery(path, { ...FIRST_PAGE, download: '1' })} download>
          {t('admin.csv')}
        </ButtonLink>
      </p>
    </AdminLayout>
  )
}
