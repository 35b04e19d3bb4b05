import type { CustomerRow } from '#features/customers/customer-list.server.ts'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { localizeDigits, formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { lastOrder } from './totals.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'

export interface Props {
  list: KeysetPage<CustomerRow>
  query: Record<string, string>
  savedFilters: SavedFilter[]
}

/** The customers, newest first. */
export function Page({ list, query, savedFilters }: Props) {
  const { t } = useI18n()
  const isFiltered = Boolean(query.q || query.state)
  return (
    <AdminLayout title={t('admin.nav.customers')}>
      <FilterBar
        screen="customers"
        values={query}
        saved={savedFilters}
        fields={[
          { name: 'q', label: t('customers.search'), kind: 'search', hint: t('customers.search-hint') },
          { name: 'state', label: t('customers.state'), kind: 'select', options: [['disabled', t('customers.disabled')]] },
        ]}
      />
      <DataTable
        label={t('admin.nav.customers')}
        rows={list.rows}
        columns={useColumns()}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/customers/${row.id}`}
        empty={isFiltered ? t('admin.table.empty-filtered') : t('customers.empty')}
      />
      <Paging prev={list.prev} next={list.next} />
    </AdminLayout>
  )
}

function useColumns(): Column<CustomerRow>[] {
  const { t, lang } = useI18n()
  return [
    { key: 'name', head: t('customers.customer'), lead: true, cell: (row) => <span className="break-words">{row.name}</span> },
    {
      key: 'phone',
      head: t('customers.phone'),
      cell: (row) => (
        <a href={`tel:${row.phone}`} className="tap tabular-nums text-stone hover:underline">
          {localizeDigits(lang, row.phone)}
        </a>
      ),
    },
    {
      key: 'email',
      head: t('customers.email'),
      cell: (row) => (row.email ? <span className="break-all md:block md:min-w-48">{row.email}</span> : null),
    },
    {
      key: 'account',
      head: t('customers.account'),
      wideOnly: true,
      cell: (row) =>
        row.is_disabled ? (
          <span className="chip chip-terracotta">{t('customers.disabled')}</span>
        ) : row.has_account ? (
          t('customers.has-account')
        ) : (
          <span className="text-stone">{t('customers.guest')}</span>
        ),
    },
    { key: 'spent', head: t('customers.spent'), align: 'end', cell: (row) => money(row.spent, lang) },
    { key: 'orders', head: t('customers.orders'), align: 'end', cell: (row) => formatNumber(row.orders_count, lang) },
    {
      key: 'last',
      head: t('customers.last-order'),
      cell: (row) => (row.last_order_at ? <span className="whitespace-nowrap">{lastOrder(row.last_order_at, t, lang)}</span> : null),
    },
  ]
}
