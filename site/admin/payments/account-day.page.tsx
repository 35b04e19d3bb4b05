import { useState } from 'react'
import { Button } from '#components/button.tsx'
import type { StatementAccount } from '#features/reconciliation/accounts.server.ts'
import type { BookEntry, ListedRow, ReconciliationDay } from '#features/reconciliation/queries.server.ts'
import { isChangedSince, STATEMENT_LISTS, type StatementList } from '#features/reconciliation/rules.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { formatTaka, poisha, type Poisha } from '#lib/format/money.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { dhakaTime, formatDateTime, formatFullDay, formatTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { DayState } from './day-state.tsx'
import { CloseDialog, ExplainDialog, MatchDialog, ReopenDialog, UnmatchDialog } from './reconcile-dialogs.tsx'

export interface Props {
  account: Pick<StatementAccount, 'id' | 'name' | 'method'>
  day: ReconciliationDay
  list: StatementList
  /** The rows of the lists `statement` and `matched`. */
  rows: KeysetPage<ListedRow> | null
  /** The entries of the list `books`. */
  entries: KeysetPage<BookEntry> | null
}

/** A day of an account: on the statement only, in the books only, matched. */
export function Page({ account, day, list, rows, entries }: Props) {
  const { t, lang } = useI18n()
  const url = `/admin/payments/accounts/${account.id}`
  const here = `${url}/${day.day}`
  const counts = { statement: day.open_rows, books: day.open_entries, matched: day.rows - day.open_rows }
  const tab = (one: StatementList) => ({
    href: `${here}?list=${one}`,
    label: `${t(`reconcile.list.${one}`)} (${formatNumber(counts[one], lang)})`,
    isCurrent: one === list,
  })
  return (
    <AdminLayout title={formatFullDay(day.day, lang)} back={{ href: url, label: account.name }} note={<DayState day={day} />}>
      <DaySums day={day} accountId={account.id} />
      <Tabs label={t('reconcile.state')} tabs={STATEMENT_LISTS.map(tab)} />
      {entries ? <Entries page={entries} /> : null}
      {rows ? <Rows page={rows} list={list} isClosed={day.closed !== null} /> : null}
    </AdminLayout>
  )
}

function DaySums({ day, accountId }: { day: ReconciliationDay; accountId: number }) {
  const { t, lang } = useI18n()
  const [asks, setAsks] = useState(false)
  const taka = (poisha: Poisha) => formatTaka(poisha, lang)
  const sums = [
    [t('reconcile.statement'), taka(day.statement_poisha), t('reconcile.rows-count', { count: formatNumber(day.rows, lang) })],
    [t('reconcile.books'), taka(day.books_poisha), t('reconcile.entries-count', { count: formatNumber(day.entries, lang) })],
    [t('reconcile.difference'), taka(poisha(day.statement_poisha - day.books_poisha)), ''],
  ]
  return (
    <section className="admin-card mb-4 flex flex-wrap items-center gap-x-8 gap-y-3 p-4">
      <dl className="flex grow flex-wrap gap-x-8 gap-y-3">
        {sums.map(([label, value, note]) => (
          <div key={label}>
            <dt className="text-sm text-stone">{label}</dt>
            <dd className="tabular-nums text-lg font-semibold">
              {value}
              <span className="block text-sm font-normal text-stone">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
      {day.closed ? (
        <div className="text-sm">
          <p>{t('reconcile.closed-by', { name: day.closed.by, when: formatDateTime(new Date(day.closed.at), lang) })}</p>
          {isChangedSince(day) ? (
            <p className="font-semibold text-terracotta">
              {t('reconcile.closed-with', { books: taka(day.closed.books_poisha), open: formatNumber(day.closed.open, lang) })}
            </p>
          ) : null}
          {day.closed.note ? <p className="max-w-prose break-words text-stone">{day.closed.note}</p> : null}
          <Button size="small" kind="secondary" className="mt-2" onClick={() => setAsks(true)}>
            {t('reconcile.reopen')}
          </Button>
        </div>
      ) : (
        <Button onClick={() => setAsks(true)}>{t('reconcile.close')}</Button>
      )}
      {asks && day.closed ? <ReopenDialog accountId={accountId} day={day.day} close={() => setAsks(false)} /> : null}
      {asks && !day.closed ? <CloseDialog accountId={accountId} day={day} close={() => setAsks(false)} /> : null}
    </section>
  )
}

function Entries({ page }: { page: KeysetPage<BookEntry> }) {
  const { t, lang } = useI18n()
  const columns: Column<BookEntry>[] = [
    { key: 'entry', head: t('reconcile.entry'), lead: true, cell: (row) => <EntryName entry={row} /> },
    { key: 'kind', head: t('money.kind'), cell: (row) => t(`ledger.${row.kind}`) },
    {
      key: 'reference',
      head: t('admin-orders.transaction'),
      cell: (row) => <span className="tabular-nums break-all select-all">{row.reference ?? '–'}</span>,
    },
    { key: 'at', head: t('money.time'), cell: (row) => formatTime(dhakaTime(new Date(row.at)), lang) },
    { key: 'amount', head: t('advances.amount'), align: 'end', corner: true, cell: (row) => <Amount poisha={row.amount_poisha} /> },
  ]
  return (
    <>
      <DataTable
        label={t('reconcile.list.books')}
        rows={page.rows}
        columns={columns}
        rowKey={(row) => row.id}
        empty={t('reconcile.list-empty.books')}
      />
      <Paging prev={page.prev} next={page.next} />
    </>
  )
}

function Rows({ page, list, isClosed }: { page: KeysetPage<ListedRow>; list: StatementList; isClosed: boolean }) {
  const { t, lang } = useI18n()
  const [open, setOpen] = useState<{ row: ListedRow; does: 'match' | 'explain' | 'unmatch' } | null>(null)
  const close = () => setOpen(null)
  const isOpenList = list === 'statement'
  const columns: Column<ListedRow>[] = [
    {
      key: 'row',
      head: t('reconcile.row'),
      lead: true,
      cell: (row) => (
        <span className="block max-w-96 min-w-0">
          <span className="tabular-nums break-all select-all">{row.reference ?? '–'}</span>
          <span className="block text-sm font-normal break-words text-stone">
            {t('reconcile.line', { line: localizeDigits(lang, String(row.line)) })}
            {row.details === '' ? '' : ` · ${row.details}`}
          </span>
        </span>
      ),
    },
    { key: 'amount', head: t('advances.amount'), align: 'end', corner: true, cell: (row) => <Amount poisha={row.amount_poisha} /> },
    ...(isOpenList ? [] : [{ key: 'match', head: t('reconcile.how'), cell: (row: ListedRow) => <Match row={row} /> }]),
    ...(isClosed
      ? []
      : [
          {
            key: 'do',
            head: t('admin.table.actions'),
            align: 'end' as const,
            cell: (row: ListedRow) => <RowButtons row={row} onChoose={(does) => setOpen({ row, does })} />,
          },
        ]),
  ]
  return (
    <>
      <DataTable
        label={t(`reconcile.list.${list}`)}
        rows={page.rows}
        columns={columns}
        rowKey={(row) => row.id}
        empty={t(`reconcile.list-empty.${list}`)}
      />
      <Paging prev={page.prev} next={page.next} />
      {open?.does === 'match' ? <MatchDialog row={open.row} close={close} /> : null}
      {open?.does === 'explain' ? <ExplainDialog row={open.row} close={close} /> : null}
      {open?.does === 'unmatch' ? <UnmatchDialog row={open.row} close={close} /> : null}
    </>
  )
}

function RowButtons({ row, onChoose }: { row: ListedRow; onChoose: (does: 'match' | 'explain' | 'unmatch') => void }) {
  const { t, lang } = useI18n()
  const named = { amount: formatTaka(row.amount_poisha, lang), line: localizeDigits(lang, String(row.line)) }
  if (row.match !== null)
    return (
      <Button size="small" kind="quiet" aria-label={t('reconcile.unmatch-of', named)} onClick={() => onChoose('unmatch')}>
        {t('reconcile.do-unmatch')}
      </Button>
    )
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <Button size="small" aria-label={t('reconcile.match-of', named)} onClick={() => onChoose('match')}>
        {t('reconcile.do-match')}
      </Button>
      <Button size="small" kind="secondary" aria-label={t('reconcile.explain-of', named)} onClick={() => onChoose('explain')}>
        {t('reconcile.do-explain')}
      </Button>
    </span>
  )
}

/** How a row was matched, with its entries or its explanation. */
function Match({ row }: { row: ListedRow }) {
  const { t } = useI18n()
  return (
    <span className="block max-w-96 min-w-0 text-sm">
      {row.match ? <b>{t(`reconcile.match.${row.match}`)}</b> : null}
      {row.entries.map((entry) => (
        <span key={entry.id} className="block">
          <EntryName entry={entry} />
          {entry.amount_poisha === row.amount_poisha ? null : (
            <>
              {' '}
              <Amount poisha={entry.amount_poisha} />
            </>
          )}
        </span>
      ))}
      {row.reason === null ? null : (
        <span className="block break-words text-stone">
          {row.reason} {row.by === null ? null : t('admin-orders.by', { name: row.by })}
        </span>
      )}
    </span>
  )
}

/** Order and customer of an entry. */
export function EntryName({ entry }: { entry: Pick<BookEntry, 'order_id' | 'name'> }) {
  const { t, lang } = useI18n()
  if (entry.order_id === null) return t('money.no-order')
  return (
    <a href={`/admin/orders/update/${entry.order_id}`} className="tap underline underline-offset-2">
      {localizeDigits(lang, String(entry.order_id))} · {shownName(entry.name, lang)}
    </a>
  )
}

function Amount({ poisha }: { poisha: Poisha }) {
  const { lang } = useI18n()
  return <b className={`tabular-nums whitespace-nowrap ${poisha < 0 ? 'text-terracotta' : ''}`}>{formatTaka(poisha, lang)}</b>
}
