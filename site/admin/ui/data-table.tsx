import { Button } from '#components/button.tsx'
import { focusIfLost } from '#components/focus-beside.ts'
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { ActingSelect } from './acting-select.tsx'
import { FIRST_PAGE, withQuery } from './url-query.ts'
import { DownIcon, UpIcon } from './icons.tsx'
import { usePageKeys } from './keys.ts'
import { focusRow, useRemovedRow } from './removed-row.ts'

export interface Column<Row> {
  key: string
  head: string
  cell: (row: Row) => ReactNode
  /** Numbers are aligned at the end. */
  align?: 'end'
  /** Name of the order in the URL, for columns that can be sorted. */
  sort?: string
  /** Title of the card on a phone; the first column by default. */
  lead?: boolean
  /** Beside the card's title on a phone: a short state. */
  corner?: boolean
  /** Less important: only where there is room. `table`: left out of a narrow table, shown on the cards of a phone. */
  wideOnly?: boolean | 'table'
}

interface DataTableProps<Row> {
  /** Name of the list for screen readers. */
  label: string
  rows: Row[]
  columns: Column<Row>[]
  rowKey: (row: Row) => number | string
  /** Target of Enter and of the lead cell; null for a row without a page. */
  rowHref?: (row: Row) => string | null
  /** Name of a row, for its checkbox. */
  rowName?: (row: Row) => string
  /** The current order; `params`: its query parameters. */
  sort?: { by: string; order: 'asc' | 'desc'; params?: [by: string, order: string] }
  /** Actions for the selected rows; makes rows selectable. */
  bulk?: (picked: Row[], clear: () => void) => ReactNode
  empty?: ReactNode
}

/** A list: table on a desk, cards on a phone; j and k move, x selects, Enter opens. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, bulk, empty } = props
  const { t } = useI18n()
  const [picked, setPicked] = useState<ReadonlySet<number | string>>(new Set())
  const toggle = (key: number | string) => setPicked((now) => toggled(now, key))
  const { table, at } = useRowKeys(props, bulk ? toggle : null)
  const { onFocus, empty: emptyText } = useRemovedRow(table, rows.map(rowKey))
  const pickedRows = rows.filter((row) => picked.has(rowKey(row)))
  const clear = () => setPicked(new Set())
  if (rows.length === 0)
    return (
      <div ref={emptyText} tabIndex={-1} className="admin-card px-4 py-10 text-center text-stone outline-none">
        {empty ?? t('admin.table.empty')}
      </div>
    )
  return (
    <>
      {props.sort ? <PhoneSort columns={columns} sort={props.sort} /> : null}
      <div className="admin-card relative overflow-clip max-md:overflow-visible md:max-h-[calc(100dvh-13rem)] md:scroll-pt-16 md:overflow-auto">
        <table ref={table} aria-label={label} onFocus={onFocus} className={`admin-table ${bulk ? 'picks' : ''}`}>
          <thead>
            <tr>
              {bulk ? (
                <th className="pick">
                  <SelectAllCheckbox
                    label={t('admin.table.select-all')}
                    state={pickedRows.length === 0 ? 'off' : pickedRows.length === rows.length ? 'on' : 'some'}
                    onChange={() => setPicked(pickedRows.length === rows.length ? new Set() : new Set(rows.map(rowKey)))}
                  />
                </th>
              ) : null}
              {columns.map((column) => (
                <Head key={column.key} column={column} sort={props.sort} />
              ))}
            </tr>
          </thead>
          <Rows table={props} at={at} picked={picked} toggle={toggle} />
        </table>
      </div>
      {bulk && pickedRows.length > 0 ? (
        <div className="admin-bar sticky bottom-3 z-10 mt-3 flex flex-wrap items-center gap-2 rounded-card bg-ink px-4 py-2 text-paper shadow-soft">
          <span className="tabular-nums me-2 font-semibold max-sm:order-first max-sm:me-auto" role="status">
            {t('admin.table.selected', { count: pickedRows.length })}
          </span>
          {/* The cards of a phone have no head with a box for all. */}
          {pickedRows.length < rows.length ? (
            <Button size="small" kind="tag" className="md:hidden" onClick={() => setPicked(new Set(rows.map(rowKey)))}>
              {t('admin.table.select-all')}
            </Button>
          ) : null}
          {bulk(pickedRows, clear)}
          <button
            type="button"
            className="ms-auto min-h-9 rounded-card px-3 text-sm max-sm:order-first max-sm:-me-3 pointer-coarse:min-h-11 underline underline-offset-4"
            onClick={({ detail }) => {
              clear()
              if (detail === 0) focusIfLost('.admin-table .pick input')
            }}
          >
            {t('admin.table.clear')}
          </button>
        </div>
      ) : null}
    </>
  )
}

interface RowsProps<Row> {
  table: DataTableProps<Row>
  at: number | null
  picked: ReadonlySet<number | string>
  toggle: (key: number | string) => void
}

function Rows<Row>({ table, at, picked, toggle }: RowsProps<Row>) {
  const { rows, columns, rowKey, rowHref, rowName, bulk } = table
  const { t } = useI18n()
  const leadKey = (columns.find(({ lead }) => lead) ?? columns[0])?.key
  const contentOf = (row: Row, index: number) => {
    const key = rowKey(row)
    return (
      <tr key={key} data-at={index === at || undefined} data-picked={picked.has(key) || undefined}>
        {bulk ? (
          <td className="pick">
            {tickBox({
              label: t('admin.table.select', { name: rowName?.(row) ?? String(key) }),
              checked: picked.has(key),
              onChange: () => toggle(key),
            })}
          </td>
        ) : null}
        {columns.map((column) => cellOf(column, column.cell(row), column.key === leadKey ? (rowHref?.(row) ?? null) : undefined))}
      </tr>
    )
  }
  return <tbody>{rows.map(contentOf)}</tbody>
}

function toggled<Key>(set: ReadonlySet<Key>, key: Key): Set<Key> {
  const next = new Set(set)
  if (!next.delete(key)) next.add(key)
  return next
}

function Head<Row>({ column, sort }: { column: Column<Row>; sort: DataTableProps<Row>['sort'] }) {
  const { t } = useI18n()
  const { path } = usePageContext()
  const look = `${column.align ?? ''} ${wideOnlyClass(column)}`
  if (!column.sort || !sort)
    return (
      <th scope="col" className={look}>
        {column.head}
      </th>
    )
  const isIt = sort.by === column.sort
  const [byName, orderName] = sort.params ?? ['sort', 'order']
  const next = isIt && sort.order === 'asc' ? 'desc' : 'asc'
  return (
    <th scope="col" className={look} aria-sort={isIt ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}>
      <a
        href={withQuery(path, { ...FIRST_PAGE, [byName]: column.sort, [orderName]: next })}
        title={t('admin.table.sort', { column: column.head })}
        className="inline-flex items-center gap-1 hover:underline"
      >
        {column.head}
        {isIt ? sort.order === 'asc' ? <UpIcon size={14} /> : <DownIcon size={14} /> : null}
      </a>
    </th>
  )
}

/** Sort control for phones, where cards have no column heads. */
function PhoneSort<Row>({ columns, sort }: { columns: Column<Row>[]; sort: NonNullable<DataTableProps<Row>['sort']> }) {
  const { t } = useI18n()
  const { path } = usePageContext()
  const [byName, orderName] = sort.params ?? ['sort', 'order']
  const go = (by: string, order: string) => location.assign(withQuery(path, { ...FIRST_PAGE, [byName]: by, [orderName]: order }))
  const other = sort.order === 'asc' ? 'desc' : 'asc'
  return (
    <div className="mb-3 flex items-end gap-2 md:hidden">
      <label className="min-w-0 grow text-xs text-stone">
        <span className="mb-0.5 block">{t('admin.table.sort-label')}</span>
        <ActingSelect className="admin-input w-full" value={sort.by} onChange={(event) => go(event.target.value, sort.order)}>
          {columns.map(({ sort: by, head }) =>
            by ? (
              <option key={by} value={by}>
                {head}
              </option>
            ) : null,
          )}
        </ActingSelect>
      </label>
      <button type="button" className="admin-input inline-flex items-center gap-1.5" onClick={() => go(sort.by, other)}>
        {sort.order === 'asc' ? <UpIcon size={16} /> : <DownIcon size={16} />}
        <span className="sr-only">{t('admin.table.turn')}</span>
        {t(sort.order === 'asc' ? 'admin.table.rising' : 'admin.table.falling')}
      </button>
    </div>
  )
}

/** A function, not a component: a page has hundreds of cells, and components double their cost. Only the lead cell has `href`. */
function cellOf<Row>(column: Column<Row>, content: ReactNode, href?: string | null) {
  const isBlank = content === null || content === undefined || content === ''
  const look = [href !== undefined ? 'lead' : column.corner && 'corner', column.align, wideOnlyClass(column), isBlank && 'max-md:hidden']
  return (
    <td key={column.key} data-label={column.head} className={look.filter(Boolean).join(' ') || undefined}>
      {href ? <a href={href}>{content}</a> : <span>{content}</span>}
    </td>
  )
}

function wideOnlyClass<Row>({ wideOnly }: Column<Row>): string {
  return wideOnly === 'table' ? 'md:max-xl:hidden' : wideOnly ? 'max-xl:hidden' : ''
}

interface Tick {
  label: string
  checked: boolean
  onChange: () => void
  ref?: Ref<HTMLInputElement>
}

function tickBox({ label, checked, onChange, ref }: Tick) {
  return (
    <label>
      <input ref={ref} type="checkbox" aria-label={label} checked={checked} onChange={onChange} />
    </label>
  )
}

/** All rows, or some of them. */
function SelectAllCheckbox({ state, label, onChange }: { state: 'on' | 'off' | 'some'; label: string; onChange: () => void }) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'some'
  }, [state])
  return tickBox({ label, checked: state === 'on', onChange, ref: box })
}

/** The current row of the keyboard, and its keys. */
function useRowKeys<Row>({ rows, rowKey, rowHref }: DataTableProps<Row>, toggle: ((key: number | string) => void) | null) {
  const table = useRef<HTMLTableElement>(null)
  const [at, setAt] = useState<number | null>(null)
  const move = (by: number) => {
    const next = at === null ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))
    setAt(next)
    const row = table.current?.querySelectorAll<HTMLTableRowElement>('tbody tr')[next]
    row?.scrollIntoView({ block: 'nearest' })
    focusRow(row)
  }
  const row = at === null ? undefined : rows[at]
  usePageKeys({
    j: () => move(1),
    k: () => move(-1),
    x: () => row !== undefined && toggle?.(rowKey(row)),
    Enter: (event) => {
      const isElsewhere = event.target instanceof Element && event.target.closest('a, button, label, summary')
      const href = row === undefined ? null : rowHref?.(row)
      if (href && !isElsewhere) location.assign(href)
    },
  })
  return { table, at: at !== null && at < rows.length ? at : null }
}
