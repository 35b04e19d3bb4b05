import type { ReactNode } from 'react'
import { ButtonLink } from '#components/button.tsx'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import { MAX_PRINTED } from '#features/orders/history/list-query-rules.ts'
import type { OrderList, OrderRow } from '#features/orders/history/order-list.server.ts'
import { isLive, ORDER_STATUSES } from '#features/orders/rules.ts'
import { ORDER_SOURCES } from '#features/orders/types.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { localizeDigits, formatNumber } from '#lib/format/numbers.ts'
import { dhakaDate, dhakaTime, formatDay, formatTime, isDay } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { BulkOrders } from './bulk-orders.tsx'
import { OrderTotal } from './order-total.tsx'
import { StatusChip } from './status-chip.tsx'
import { FIRST_PAGE, withQuery } from '../ui/address.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyList } from '../ui/empty-list.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { AlertIcon, CloseIcon, InfoIcon, PlusIcon, PrintIcon } from '../ui/icons.tsx'
import { Paging } from '../ui/paging.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  list: OrderList
  query: Record<string, string>
  areas: { id: number; area_name: string }[]
  /** Name of the customer when the list is filtered by one. */
  customer: string | null
  /** The customer's completed orders when the list shows delivered ones, and vice versa. */
  other: { status: 'delivered' | 'completed'; count: number } | null
  savedFilters: SavedFilter[]
}

const COUNTED = 1000
/** Filters without a field: they are set by a tab or removed by a chip. */
const HIDDEN_FILTERS = ['status', 'user_id', 'attention', 'late_on', 'open']

/** The orders, newest first, by any filter. */
export function Page({ list, query, areas, customer, other, savedFilters }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const count = formatNumber(Math.min(list.count ?? 0, COUNTED), lang)
  const isFiltered = Object.keys(query).some((name) => query[name])
  return (
    <AdminLayout
      title={t('admin.nav.orders')}
      actions={
        <>
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
      <FilterBar
        screen="orders"
        values={query}
        saved={savedFilters}
        keep={HIDDEN_FILTERS}
        fields={[
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
          { name: 'from', label: t('admin-orders.from'), kind: 'date', isRare: true },
          { name: 'to', label: t('admin-orders.to'), kind: 'date', isRare: true },
        ]}
      />
      <FilterChips query={query} customer={customer} />
      {other ? <OtherPurchases {...other} customer={customer ?? ''} /> : null}
      <DataTable
        label={t('admin.nav.orders')}
        rows={list.rows}
        columns={useColumns()}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/orders/update/${row.id}`}
        rowName={(row) => t('admin-orders.title', { id: localizeDigits(lang, String(row.id)) })}
        bulk={(picked, clear) => <BulkOrders picked={picked} clear={clear} />}
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
        note={!list.count ? null : t(list.count > COUNTED ? 'admin-orders.many' : 'admin-orders.count', { count })}
      />
    </AdminLayout>
  )
}

/** The invoices of all that the filters let through. */
function printAllHref(query: Record<string, string>): string {
  return withQuery(`/admin/orders/invoices?${new URLSearchParams(query).toString()}`, { ...FIRST_PAGE, all: '1' })
}

function useColumns(): Column<OrderRow>[] {
  const { t, lang } = useI18n()
  return [
    {
      key: 'order',
      head: t('admin-orders.order'),
      lead: true,
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
          <span className="line-clamp-3 md:min-w-28" title={row.name}>
            {row.name}
          </span>
          {row.phone === '' ? null : (
            <a href={`tel:${row.phone}`} className="tap tabular-nums block text-stone hover:underline">
              <span className="sr-only">{t('admin-orders.phone')} </span>
              {localizeDigits(lang, row.phone)}
            </a>
          )}
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
            {row.goods}
          </span>
          {row.more_lines > 0 ? (
            <span className="text-stone">{t('admin-orders.more-goods', { count: formatNumber(row.more_lines, lang) })}</span>
          ) : null}
        </span>
      ),
    },
    { key: 'sum', head: t('admin-orders.sum'), align: 'end', cell: (row) => <OrderTotal order={row} /> },
    { key: 'due', head: t('admin-orders.due'), align: 'end', cell: (row) => dueCell(row, t, lang) },
    { key: 'area', head: t('admin-orders.area'), cell: (row) => row.area_name },
    { key: 'status', head: t('admin-orders.status'), corner: true, cell: (row) => <StatusChip status={row.status} /> },
    {
      key: 'day',
      head: t('admin-orders.delivery-day'),
      cell: (row) => <span className="whitespace-nowrap">{deliveryDates(row, lang)}</span>,
    },
    {
      key: 'placed',
      head: t('admin-orders.placed'),
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

/** When it comes; nothing for an order that has ended without delivery. */
function deliveryDates({ status, deliver_on, first_delivery_on }: OrderRow, lang: Lang): string {
  if (!isLive(status)) return '–'
  return [first_delivery_on, deliver_on].flatMap((day) => (day === null ? [] : [formatDay(day, lang)])).join(' + ')
}

/** The amount due; for an ended order the amount to refund. */
function dueCell(row: OrderRow, t: Translate, lang: Lang): ReactNode {
  const ended = row.status === 'cancelled' || row.status === 'returned'
  if (ended) return row.due < 0 ? <b className="text-terracotta">{money(row.due, lang)}</b> : null
  if (row.due === 0) return <span className="text-leaf-600">{t('admin-orders.paid-in-full')}</span>
  return <b className={row.due < 0 ? 'text-terracotta' : ''}>{money(row.due, lang)}</b>
}

/** Tabs: all orders, each status, and orders that need attention. */
function StatusTabs({ query }: { query: Record<string, string> }) {
  const { t } = useI18n()
  const { path } = usePageContext()
  const to = (status: string | null, attention: string | null = null) => withQuery(path, { ...FIRST_PAGE, status, attention })
  const isFlagged = query.attention === '1'
  const tabs = [
    { label: t('admin-orders.all'), href: to(null), isCurrent: !query.status && !isFlagged },
    ...ORDER_STATUSES.map((status) => ({
      label: t(`order-status.${status}`),
      href: to(status),
      isCurrent: query.status === status && !isFlagged,
    })),
    { label: t('admin-orders.flagged'), href: to(null, '1'), isCurrent: isFlagged },
  ]
  return <Tabs label={t('admin-orders.status')} tabs={tabs} />
}

/** The link between a customer's delivered and completed orders. */
function OtherPurchases({ status, count, customer }: NonNullable<Props['other']> & { customer: string }) {
  const { t, lang } = useI18n()
  const { path } = usePageContext()
  const shown = formatNumber(Math.min(count, COUNTED), lang) + (count > COUNTED ? '+' : '')
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-2 rounded-card bg-indigo-100 px-3.5 py-1">
      <InfoIcon className="shrink-0 text-indigo" />
      <a
        href={withQuery(path, { ...FIRST_PAGE, status })}
        className="inline-flex min-h-11 items-center font-semibold text-indigo underline underline-offset-4 wrap-anywhere"
      >
        {t(`admin-orders.also-${status}`, { count: shown, name: customer })}
      </a>
    </p>
  )
}

/** Active filters without a field, each with a button that removes it. */
function FilterChips({ query, customer }: { query: Record<string, string>; customer: string | null }) {
  const { t, lang } = useI18n()
  const { path } = usePageContext()
  const lateOn = query.late_on && isDay(query.late_on) ? query.late_on : null
  const chips: [name: string, text: string | null][] = [
    ['user_id', customer === null ? null : t('admin-orders.of-customer', { name: customer })],
    ['open', query.open === '1' ? t('admin-orders.still-to-go') : null],
    ['late_on', lateOn && t('admin-orders.late-on', { day: formatDay(lateOn, lang) })],
    ['attention', query.attention === '1' ? t('admin-orders.flagged') : null],
  ]
  const shown = chips.filter(([, text]) => text !== null)
  if (shown.length === 0) return null
  return (
    <ul aria-label={t('admin-orders.chips')} className="mb-3 flex flex-wrap gap-2">
      {shown.map(([name, text]) => (
        <li key={name}>
          <a
            href={withQuery(path, { ...FIRST_PAGE, [name]: null })}
            className="chip chip-indigo min-h-9 px-3 whitespace-normal pointer-coarse:min-h-11"
          >
            {text}
            <CloseIcon size={13} aria-hidden={false} role="img" aria-label={t('admin.filters.reset')} />
          </a>
        </li>
      ))}
    </ul>
  )
}
