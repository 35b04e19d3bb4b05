import { ButtonLink } from '#components/button.tsx'
import type { CustomerList, CustomerRow } from '#features/customers/customer-list.server.ts'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import { CUSTOMER_SORTS, readCustomerFilter, type SegmentName } from '#features/customers/list-query-rules.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { MAX_COUNTED, readListView } from '#lib/db/keyset.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { localizeDigits, formatNumber } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { dhakaDate, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { lastOrder } from './totals.ts'
import { FIRST_PAGE, hasFilters, VIEW_NAMES, withQuery } from '../ui/url-query.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Chips } from '../ui/filter-chips.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { ExportLink } from '../ui/export-link.tsx'
import { MessageIcon, PlusIcon } from '../ui/icons.tsx'
import { Paging } from '../ui/paging.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  list: CustomerList
  areas: Choice[]
  categories: Choice[]
  /** The product that the customers bought, or null. */
  product: string | null
  query: Record<string, string>
  savedFilters: SavedFilter[]
}

interface Choice {
  id: number
  name: string
}

/** The customers, newest first unless a column is chosen. */
export function Page({ list, query, areas, categories, product, savedFilters }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const isFiltered = hasFilters(query)
  const options = (choices: Choice[]) => choices.map(({ id, name }): [string, string] => [String(id), name])
  const { sort, order, size } = readListView(query, CUSTOMER_SORTS, 25)
  return (
    <AdminLayout
      title={t('admin.nav.customers')}
      actions={
        <>
          <ExportLink list="/admin/customers" />
          {can('campaigns.send') && list.rows.length > 0 ? (
            <ButtonLink kind="secondary" href={campaignHref(query)}>
              <MessageIcon size={18} />
              {t('campaigns.send')}
            </ButtonLink>
          ) : null}
          {can('customers.write') ? (
            <ButtonLink href="/admin/customers/create">
              <PlusIcon size={18} />
              {t('customers.new')}
            </ButtonLink>
          ) : null}
        </>
      }
    >
      <FilterBar
        screen="customers"
        values={query}
        saved={savedFilters}
        retained={['sort', 'order', 'rows', 'product_id']}
        fields={[
          { name: 'q', label: t('customers.search'), kind: 'search', hint: t('customers.search-hint') },
          { name: 'state', label: t('customers.state'), kind: 'select', options: [['disabled', t('customers.disabled')]], isRare: true },
          { name: 'category_id', label: t('customers.bought'), kind: 'select', options: options(categories) },
          { name: 'area_id', label: t('customers.area'), kind: 'select', options: options(areas) },
          { name: 'quiet_since', label: t('customers.quiet-since'), kind: 'date', isRare: true },
          { name: 'due', label: t('customers.due'), kind: 'select', options: [['yes', t('customers.due-yes')]] },
        ]}
      />
      <Segments {...{ query, areas, categories, product }} />
      <DataTable
        label={t('admin.nav.customers')}
        rows={list.rows}
        columns={useColumns()}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/customers/${row.id}`}
        sort={{ by: sort, order }}
        empty={isFiltered ? t('admin.table.empty-filtered') : t('customers.empty')}
      />
      <Paging
        prev={list.prev}
        next={list.next}
        size={size}
        note={
          list.count
            ? t(list.count > MAX_COUNTED ? 'customers.many' : 'customers.count', {
                count: formatNumber(Math.min(list.count, MAX_COUNTED), lang),
              })
            : null
        }
      />
    </AdminLayout>
  )
}

/** The campaign to all customers that the filters let through. */
function campaignHref(query: Record<string, string>): string {
  const changes = Object.fromEntries([...VIEW_NAMES, ...Object.keys(FIRST_PAGE)].map((name) => [name, null]))
  return withQuery(`/admin/sms/campaigns/create?${new URLSearchParams(query).toString()}`, changes)
}

/** The chosen segments, which the filters of a phone hide. */
function Segments({ query, areas, categories, product }: Pick<Props, 'query' | 'areas' | 'categories' | 'product'>) {
  const { t, lang } = useI18n()
  const { categoryId, areaId, quietSince, owes } = readCustomerFilter(query)
  const nameOf = (choices: Choice[], id: number | null) => (id === null ? null : (choices.find((one) => one.id === id)?.name ?? `#${id}`))
  const [category, area] = [nameOf(categories, categoryId), nameOf(areas, areaId)]
  const chips: [SegmentName, string | null][] = [
    ['category_id', category && t('customers.bought-chip', { name: category })],
    ['product_id', product && t('customers.bought-chip', { name: product })],
    ['area_id', area && t('customers.area-chip', { name: area })],
    ['quiet_since', quietSince && t('customers.quiet-chip', { day: formatDay(quietSince, lang) })],
    ['due', owes ? t('customers.due-yes') : null],
  ]
  return <Chips label={t('customers.segments')} chips={chips} inBar={['category_id', 'area_id', 'quiet_since', 'due']} />
}

function useColumns(): Column<CustomerRow>[] {
  const { t, lang } = useI18n()
  return [
    {
      key: 'name',
      head: t('customers.customer'),
      lead: true,
      sort: 'name',
      cell: (row) => shownName(row.name, lang),
    },
    {
      key: 'phone',
      head: t('customers.phone'),
      cell: (row) => (
        <a href={callLink(row.phone)} className="tap tabular-nums text-stone hover:underline">
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
    {
      key: 'since',
      head: t('customers.since'),
      wideOnly: true,
      sort: 'new',
      cell: (row) => <span className="whitespace-nowrap">{formatDay(dhakaDate(new Date(row.created_at)), lang)}</span>,
    },
  ]
}
