import { ButtonLink } from '#components/button.tsx'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import type { LeaderboardQuery } from '#features/reports/leaderboard-rules.ts'
import type { LeaderboardRow } from '#features/reports/leaderboard.server.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { localizeDigits, formatNumber } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatLongDay } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { lastOrder, spentText } from '../customers/totals.ts'
import { FIRST_PAGE, withQuery } from '../ui/url-query.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'

export interface Props {
  list: KeysetPage<LeaderboardRow>
  filter: LeaderboardQuery
  savedFilters: SavedFilter[]
}

/** Customers by amount spent. */
export function Page({ list, filter, savedFilters }: Props) {
  const { t, lang } = useI18n()
  const { path } = usePageContext()
  const asTaka = (poisha: number | null) => (poisha === null ? '' : String(poisha / 100))
  return (
    <AdminLayout
      title={t('admin.nav.leaderboard')}
      note={
        <span className="text-sm text-stone">
          {t('leaderboard.period', { from: formatLongDay(filter.startDate, lang), to: formatLongDay(filter.endDate, lang) })}
        </span>
      }
      actions={
        <ButtonLink kind="secondary" href={withQuery(path, { ...FIRST_PAGE, download: '1' })} download>
          <DownloadIcon size={18} />
          {t('admin.csv')}
        </ButtonLink>
      }
    >
      <FilterBar
        screen="leaderboard"
        saved={savedFilters}
        retained={['sort_column', 'sort_order']}
        values={{
          start_date: filter.startDate,
          end_date: filter.endDate,
          min_spent: asTaka(filter.minSpent),
          max_spent: asTaka(filter.maxSpent),
          sort_column: filter.sortColumn,
          sort_order: filter.sortOrder,
        }}
        fields={[
          { name: 'start_date', label: t('admin.from'), kind: 'date' },
          { name: 'end_date', label: t('admin.to'), kind: 'date' },
          { name: 'min_spent', label: t('leaderboard.min-spent'), kind: 'number' },
          { name: 'max_spent', label: t('leaderboard.max-spent'), kind: 'number' },
        ]}
      />
      <div id="leaderboard" data-leaderboard={JSON.stringify(list.rows)}>
        <DataTable
          label={t('admin.nav.leaderboard')}
          rows={list.rows}
          columns={useColumns()}
          rowKey={(row) => row.id}
          rowHref={(row) => `/admin/orders?status=delivered&user_id=${row.id}`}
          sort={{ by: filter.sortColumn, order: filter.sortOrder, params: ['sort_column', 'sort_order'] }}
          empty={t('leaderboard.empty')}
        />
      </div>
      <Paging prev={list.prev} next={list.next} />
    </AdminLayout>
  )
}

function useColumns(): Column<LeaderboardRow>[] {
  const { t, lang } = useI18n()
  return [
    { key: 'id', head: t('leaderboard.id'), cell: (row) => <span className="tabular-nums">{localizeDigits(lang, String(row.id))}</span> },
    {
      key: 'name',
      head: t('leaderboard.name'),
      lead: true,
      cell: (row) => (
        <>
          <span className="break-words">{shownName(row.name, lang)}</span>
          {row.repeatCustomer ? <span className="chip chip-leaf ms-2">{t('leaderboard.repeat')}</span> : null}
        </>
      ),
    },
    { key: 'phone', head: t('leaderboard.phone'), cell: (row) => <span className="tabular-nums">{localizeDigits(lang, row.phone)}</span> },
    { key: 'email', head: t('leaderboard.email'), cell: (row) => (row.email ? <span className="break-all">{row.email}</span> : null) },
    {
      key: 'spent',
      head: t('leaderboard.spent'),
      align: 'end',
      sort: 'total_spent',
      cell: (row) => <b>{spentText(row.total_spent, t, lang)}</b>,
    },
    {
      key: 'orders',
      head: t('leaderboard.orders'),
      align: 'end',
      sort: 'orders_count',
      cell: (row) => formatNumber(row.orders_count, lang),
    },
    {
      key: 'last',
      head: t('leaderboard.last'),
      sort: 'last_order_date',
      cell: (row) => <span className="whitespace-nowrap">{lastOrder(row.last_order_date, t, lang)}</span>,
    },
  ]
}
