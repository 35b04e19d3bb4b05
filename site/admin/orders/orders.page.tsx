import type { ReactNode } from 'react'
import { ButtonLink } from '#components/button.tsx'
import type { BulkRun } from '#features/bulk-orders/types.ts'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import { MAX_PRINTED, ORDER_SORTS } from '#features/orders/history/list-query-rules.ts'
import type { OrderList, OrderRow } from '#features/orders/history/order-list.server.ts'
import { listedDates } from '#features/orders/expected-delivery-rules.ts'
import { isLive } from '#features/orders/rules.ts'
import { ORDER_SOURCES } from '#features/orders/types.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { MAX_COUNTED, readListView } from '#lib/db/keyset.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { shownName } from '#lib/format/shown-name.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { localizeDigits, formatNumber, formatQuantity } from '#lib/format/numbers.ts'
import { dhakaDate, dhakaTime, formatDay, formatTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { FilterChips, OtherPurchases, StatusTabs } from './order-filters.tsx'
import { BulkRuns } from './bulk-runs.tsx'
import { BulkOrders } from './bulk-orders.tsx'
import { OrderTotal } from './order-total.tsx'
import { StatusChip } from './status-chip.tsx'
import { FIRST_PAGE, hasFilters, withQuery } from '../ui/url-query.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyList } from '../ui/empty-list.tsx'
import { ExportLink } from '../ui/export-link.tsx'
import { FilterBar, type FilterField } from '../ui/filters.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { TruckIcon } from '#components/icons.tsx'
import { AlertIcon, PlusIcon, PrintIcon } from '../ui/icons.tsx'
import { Paging } from '../ui/paging.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  list: OrderList
  query: Record<string, string>
  areas: { id: number; area_name: string }[]
  /** Name of the customer when the list is filtered by one. */
  customer: string | null
  /** The customer's completed orders when the list shows delivered ones, and vice versa. */
  other: { status: 'delivered' | 'completed'; count: number } | null
  runs: BulkRun[]
  /** The tags in use, the most used first. */
  usedTags: string[]
  savedFilters: SavedFilter[]
}

/** Filters without a field: they are set by a tab or removed by a chip. */
const HIDDEN_FILTERS = ['status', 'user_id', 'attention', 'late_on', 'kurbani_after', 'open']

const STAYING = [...HIDDEN_FILTERS, 'sort', 'order', 'rows']

/** The orders by any filter, newest first unless a column is chosen. */
export function Page({ list, query, areas, customer, other, runs, usedTags, savedFilters }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const count = formatNumber(Math.min(list.count ?? 0, MAX_COUNTED), lang)
  const isFiltered = hasFilters(query)
  const { sort, order, size } = readListView(query, ORDER_SORTS, 25)
  return (
    <AdminLayout
      title={t('admin.nav.orders')}
      actions={
        <>
          <ExportLink list="/admin/orders" />
          {query.list_on === undefined ? null : (
            <ButtonLink kind="secondary" href={sheetHref(query)}>
              <TruckIcon size={18} />
              {t('delivery-sheet.title')}
            </ButtonLink>
          )}
          {isFiltered && list.count !== null && list.count > 1 && list.count <= MAX_PRINTED ? (
            <ButtonLink kind="secondary" href={printAllHref(query)} target="_blank">
              <PrintIcon size={18} />
              {t('admin-orders.print-all', { count })}
            </ButtonLink>
          ) : null}
          {can('orders.write') ? (
            <ButtonLink href="/admin/orders/create">
              <PlusIcon size={18} />
              {t('admin-orders.new')}
            </ButtonLink>
          ) : null}
        </>
      }
    >
      <StatusTabs query={query} />
      <FilterBar screen="orders" values={query} saved={savedFilters} retained={STAYING} fields={useFields({ query, areas, usedTags })} />
      <FilterChips query={query} customer={customer} />
      <BulkRuns runs={runs} />
      {other ? <OtherPurchases {...other} customer={customer ?? ''} /> : null}
      <DataTable
        label={t('admin.nav.orders')}
        rows={list.rows}
        columns={useColumns()}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/orders/update/${row.id}`}
        rowName={(row) => t('admin-orders.title', { id: localizeDigits(lang, String(row.id)) })}
        sort={{ by: sort, order }}
        bulk={(picked, clear) => (
          <BulkOrders
            picked={picked}
            clear={clear}
            usedTags={usedTags}
            hasMore={picked.length === list.rows.length && (list.prev !== null || list.next !== null)}
          />
        )}
        empty={
          isFiltered ? (
            t('admin.table.empty-filtered')
          ) : (
            <EmptyList
              text={t('admin-orders.empty')}
              action={can('orders.write') ? { href: '/admin/orders/create', label: t('admin-orders.new') } : null}
            />
          )
        }
      />
      <Paging
        prev={list.prev}
        next={list.next}
        size={size}
        note={!list.count ? null : t(list.count > MAX_COUNTED ? 'admin-orders.many' : 'admin-orders.count', { count })}
      />
    </AdminLayout>
  )
}

/** The filters with a field. A tag of the address that is no longer in use stays in its list. */
function useFields({ query, areas, usedTags }: Pick<Props, 'query' | 'areas' | 'usedTags'>): FilterField[] {
  const { t } = useI18n()
  return [
    { name: 'q', label: t('admin-orders.search'), kind: 'search', hint: t('admin-orders.search-hint') },
    {
      name: 'due',
      label: t('admin-orders.due'),
      kind: 'select',
      options: (['yes', 'refund'] as const).map((due) => [due, t(`admin-orders.due.${due}`)]),
    },
    {
      name: 'area_id',
      label: t('admin-orders.area'),
      kind: 'select',
      options: areas.map(({ id, area_name }) => [String(id), area_name]),
    },
    { name: 'list_on', label: t('admin-orders.delivery-day'), kind: 'date' },
    {
      name: 'source',
      label: t('admin-orders.source'),
      kind: 'select',
      options: ORDER_SOURCES.map((source) => [source, t(`admin-orders.source.${source}`)]),
      isRare: true,
    },
    {
      name: 'tag',
      label: t('admin-orders.tag'),
      kind: 'select',
      options: [...new Set([...(query.tag ? [query.tag] : []), ...usedTags])].map((tag) => [tag, tag]),
      isRare: true,
    },
    { name: 'from', label: t('admin-orders.from'), kind: 'date', isRare: true },
    { name: 'to', label: t('admin-orders.to'), kind: 'date', isRare: true },
  ]
}

/** The invoices of all that the filters let through. */
function printAllHref(query: Record<string, string>): string {
  return withQuery(`/admin/orders/invoices?${new URLSearchParams(query).toString()}`, { ...FIRST_PAGE, all: '1' })
}

/** The deliveries of the day that is filtered by. */
function sheetHref({ list_on = '', area_id }: Record<string, string>): string {
  return `/admin/orders/delivery-sheet?${new URLSearchParams({ list_on, ...(area_id === undefined ? {} : { area_id }) }).toString()}`
}

function useColumns(): Column<OrderRow>[] {
  const { t, lang } = useI18n()
  return [
    {
      key: 'order',
      head: t('admin-orders.order'),
      lead: true,
      sort: 'number',
      cell: (row) => (
        <span className="tabular-nums whitespace-nowrap">
          {localizeDigits(lang, String(row.id))}
          {row.needs_attention ? (
            <AlertIcon
              size={16}
              className="ms-1 inline text-terracotta"
              aria-hidden={false}
              role="img"
              aria-label={t('admin-orders.attention')}
            />
          ) : null}
        </span>
      ),
    },
    {
      key: 'customer',
      head: t('admin-orders.customer'),
      cell: (row) => (
        <>
          <span className="line-clamp-3 md:min-w-28" title={shownName(row.name, lang)}>
            {shownName(row.name, lang)}
          </span>
          {row.phone === '' ? null : (
            <a href={callLink(row.phone)} className="tap tabular-nums block text-stone hover:underline">
              <span className="sr-only">{t('admin-orders.phone')} </span>
              {localizeDigits(lang, row.phone)}
            </a>
          )}
          {row.tags.length > 0 ? (
            <span className="mt-0.5 flex flex-wrap gap-1 max-md:justify-end">
              {row.tags.map((tag) => (
                <span key={tag} className="chip chip-stone break-all whitespace-normal">
                  {tag}
                </span>
              ))}
            </span>
          ) : null}
        </>
      ),
    },
    {
      key: 'goods',
      head: t('admin-orders.goods'),
      wideOnly: 'table',
      cell: (row) => (
        <span className="block min-w-28">
          <span className="line-clamp-3" title={row.goods}>
            {row.goods}{' '}
            <span className="whitespace-nowrap text-stone">{row.tag_number ?? formatQuantity(row.quantity_milli, row.unit, lang)}</span>
          </span>
          {row.more_lines > 0 ? (
            <span className="text-stone">{t('admin-orders.more-goods', { count: formatNumber(row.more_lines, lang) })}</span>
          ) : null}
        </span>
      ),
    },
    { key: 'sum', head: t('admin-orders.sum'), align: 'end', sort: 'sum', cell: (row) => <OrderTotal order={row} /> },
    { key: 'due', head: t('admin-orders.due'), align: 'end', cell: (row) => dueCell(row, t, lang) },
    { key: 'area', head: t('admin-orders.area'), cell: (row) => (row.is_collection ? t('admin-orders.collection') : row.area_name) },
    { key: 'status', head: t('admin-orders.status'), corner: true, cell: (row) => <StatusChip status={row.status} /> },
    {
      key: 'day',
      head: t('admin-orders.delivery-day'),
      sort: 'day',
      cell: (row) => (
        <span className="whitespace-nowrap">
          {listedDates(row)
            .map((day) => formatDay(day, lang))
            .join(' + ') || '–'}
        </span>
      ),
    },
    {
      key: 'placed',
      head: t('admin-orders.placed'),
      sort: 'placed',
      wideOnly: true,
      cell: (row) => {
        const placed = new Date(row.placed_at)
        return (
          <span className="whitespace-nowrap">
            {formatDay(dhakaDate(placed), lang)}
            <span className="block text-stone">
              {formatTime(dhakaTime(placed), lang)} · {t(`admin-orders.source.${row.source}`)}
            </span>
          </span>
        )
      },
    },
  ]
}

/** The amount due; for an ended order the amount to refund. */
function dueCell(row: OrderRow, t: Translate, lang: Lang): ReactNode {
  if (!isLive(row.status)) return row.due < 0 ? <b className="text-terracotta">{money(row.due, lang)}</b> : null
  if (row.due === 0 && row.written_off > 0)
    return (
      <span className="text-stone">
        {t('ledger.write_off')} {money(row.written_off, lang)}
      </span>
    )
  if (row.due === 0) return <span className="text-leaf-600">{t('admin-orders.paid-in-full')}</span>
  return <b className={row.due < 0 ? 'text-terracotta' : ''}>{money(row.due, lang)}</b>
}
