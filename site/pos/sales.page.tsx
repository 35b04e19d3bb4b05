import { MAX_RECEIPT_LENGTH } from '#features/pos/limits.ts'
import { isReturnable } from '#features/orders/returns/return-rules.ts'
import type { SaleRow } from '#features/pos/sales-list.server.ts'
import type { RegisterFilter } from '#features/pos/register-filter.server.ts'
import { Button, ButtonLink } from '#components/button.tsx'
import { TextField } from '#components/field.tsx'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Column, DataTable } from '../admin/ui/data-table.tsx'
import { DayField } from '../admin/ui/day-input.tsx'
import { AdminLayout } from '../admin/ui/layout.tsx'
import { Paging } from '../admin/ui/paging.tsx'
import { usePermissions } from '../admin/ui/use-permissions.ts'
import { RegisterFilterField } from './register-filter.tsx'

export interface Props {
  page: KeysetPage<SaleRow>
  /** The search as typed. */
  q: string
  /** The listed day; null: the cashier's own sales of today. */
  day: string | null
  filter: RegisterFilter
}

/** The sales of the day: find one again, print its receipt, return its products. */
export function Page({ page, q, day, filter }: Props) {
  const { t } = useI18n()
  return (
    <AdminLayout title={t('pos.sales')} back={{ href: '/admin/quick-orders', label: t('pos.title') }}>
      <form role="search" className="mb-4 flex max-w-3xl flex-wrap items-end gap-3">
        <div className="min-w-64 grow">
          <TextField
            id="sales-search"
            name="q"
            label={t('pos.sales.search')}
            defaultValue={q}
            maxLength={MAX_RECEIPT_LENGTH}
            autoComplete="off"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the scanner types here
            autoFocus
          />
        </div>
        {day === null ? null : (
          <div className="min-w-48">
            <DayField name="day" label={t('pos.day')} defaultValue={day} />
          </div>
        )}
        {day === null ? null : (
          <div className="min-w-32 empty:hidden">
            <RegisterFilterField filter={filter} />
          </div>
        )}
        <Button type="submit" kind="secondary" size="large">
          {t('pos.show')}
        </Button>
      </form>
      <DataTable
        label={t('pos.sales')}
        rows={page.rows}
        columns={useColumns()}
        rowKey={(sale) => sale.id}
        rowName={(sale) => String(sale.return_id ?? sale.id)}
        empty={t(q === '' ? 'pos.sales.none' : 'pos.sales.not-found')}
      />
      <Paging prev={page.prev} next={page.next} />
    </AdminLayout>
  )
}

function useColumns(): Column<SaleRow>[] {
  const { t, lang } = useI18n()
  const digits = (text: string | number) => localizeDigits(lang, String(text))
  return [
    {
      key: 'number',
      head: t('pos.sales.number'),
      lead: true,
      cell: ({ id, return_id: returnId, placed_at }) => (
        <>
          <b className="tabular-nums">{returnId === null ? digits(id) : t('pos.receiptless.receipt', { id: digits(returnId) })}</b>
          <time dateTime={placed_at} className="block text-sm font-normal whitespace-nowrap text-stone">
            {formatDateTime(new Date(placed_at), lang)}
          </time>
        </>
      ),
    },
    {
      key: 'total',
      head: t('pos.total'),
      align: 'end',
      corner: true,
      cell: ({ total, methods }) => (
        <>
          <b className="tabular-nums">{formatTaka(takaToPoisha(total), lang)}</b>
          <span className="block text-sm font-normal text-stone">
            {methods.map((method) => t(method === 'on_account' ? 'pos.account.on-account' : `pos.${method}`)).join(', ')}
          </span>
        </>
      ),
    },
    {
      key: 'customer',
      head: t('pos.sales.customer'),
      cell: ({ name, phone }) => (
        <>
          <span className="block break-words">{shownName(name, lang)}</span>
          <span className="tabular-nums text-sm text-stone">{digits(phone)}</span>
        </>
      ),
    },
    {
      key: 'goods',
      head: t('pos.sales.goods'),
      wideOnly: true,
      cell: ({ goods, more_lines }) => (more_lines > 0 ? t('pos.sales.more', { name: goods, count: digits(more_lines) }) : goods),
    },
    { key: 'cashier', head: t('pos.sales.cashier'), wideOnly: true, cell: ({ cashier }) => cashier },
    { key: 'actions', head: t('admin.table.actions'), align: 'end', cell: (sale) => <Actions sale={sale} /> },
  ]
}

function Actions({ sale: { id, return_id: returnId, status } }: { sale: SaleRow }) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const of = <span className="sr-only"> {localizeDigits(lang, String(returnId ?? id))}</span>
  if (returnId !== null)
    return (
      <ButtonLink kind="secondary" size="small" href={`/admin/quick-orders/return-receipts/${returnId}?print=1`}>
        {t('pos.sales.print')}
        {of}
      </ButtonLink>
    )
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <ButtonLink kind="secondary" size="small" href={`/admin/quick-orders/pos-invoice/${id}?print=1`}>
        {t('pos.sales.print')}
        {of}
      </ButtonLink>
      {isReturnable(status) ? (
        <ButtonLink kind="secondary" size="small" href={`/admin/quick-orders/return?receipt=${id}`}>
          {t('pos.sales.return')}
          {of}
        </ButtonLink>
      ) : (
        <span className="self-center text-sm text-stone">{t(`order-status.${status}`)}</span>
      )}
      {can('orders.read') ? (
        <ButtonLink kind="quiet" size="small" href={`/admin/orders/update/${id}`}>
          {t('pos.sales.order')}
          {of}
        </ButtonLink>
      ) : null}
    </span>
  )
}
