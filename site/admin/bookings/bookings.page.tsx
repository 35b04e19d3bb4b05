import { useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { focusNext } from '#components/focus-beside.ts'
import { showToast } from '#components/toast.tsx'
import type { BookingRow } from '#features/kurbani/booking-queries.server.ts'
import { BOOKING_RANGES, BOOKING_STATES, rangeText, type BookingState, MAX_BOOKING_NOTE_LENGTH } from '#features/kurbani/rules.ts'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { isSameInput } from '../ui/same-input.ts'
import { conflictText, StateNoteDialog } from '../ui/state-note-dialog.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  page: KeysetPage<BookingRow>
  query: Record<string, string>
  /** English name, and the name to show. */
  districts: [string, string][]
  /** Thana and district of each pre-booking, in the reader's language. */
  places: Record<number, string>
  savedFilters: SavedFilter[]
}

const CHIPS: Record<BookingState, string> = { new: 'chip-mango', called: 'chip-indigo', matched: 'chip-leaf', closed: 'chip-stone' }
const FILTERS = ['q', 'state', 'district', 'price'] as const

/** Kurbani pre-bookings, with their state and notes. */
export function Page({ page, query, districts, places, savedFilters }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [rows, setRows] = useState(page.rows)
  const [open, setOpen] = useState<BookingRow | null>(null)
  const mayWrite = can('bookings.write')
  const save = async (row: BookingRow, state: BookingState, note: string) => {
    const body = { state, shown_state: row.state, note, version: row.version }
    const written = await adminPost<{ booking: BookingRow }>(`/admin/bookings/${row.id}`, body)
    const saved = written.ok ? written.body.booking : written.saved?.booking
    if (saved) {
      setRows((before) => before.map((one) => (one.id === saved.id ? saved : one)))
      setOpen((now) => (now?.id === saved.id ? saved : now))
    }
    // As it was sent: a press whose answer was lost has saved it.
    const isSaved = written.ok || (saved?.state === state && isSameInput(saved.note, note))
    if (!isSaved) return written.errors.note?.[0] ?? conflictText({ shown: row.note, sent: note, saved: saved?.note }, written, t)
    showToast(t('bookings.saved'))
    return null
  }
  const markCalled = async (row: BookingRow) => {
    const problem = await save(row, 'called', row.note)
    if (problem) showToast(problem, { kind: 'error' })
  }
  const columns: Column<BookingRow>[] = [
    { key: 'who', head: t('bookings.name'), lead: true, cell: (row) => <Customer row={row} /> },
    { key: 'price', head: t('bookings.price'), cell: (row) => <PriceRange range={row.price_range} /> },
    { key: 'weight', head: t('bookings.weight'), cell: (row) => row.weight },
    { key: 'place', head: t('bookings.place'), cell: (row) => places[row.id] },
    {
      key: 'state',
      head: t('bookings.state'),
      corner: true,
      cell: (row) => <span className={`chip ${CHIPS[row.state]}`}>{t(`bookings.state.${row.state}`)}</span>,
    },
    {
      key: 'note',
      head: t('bookings.note'),
      cell: (row) => (row.note ? <span className="block max-w-60 break-words whitespace-pre-line">{row.note}</span> : null),
    },
    { key: 'orders', head: t('bookings.orders'), cell: (row) => <Orders row={row} /> },
    {
      key: 'when',
      head: t('bookings.when'),
      wideOnly: true,
      cell: (row) => <time dateTime={row.created_at}>{formatDateTime(new Date(row.created_at), lang)}</time>,
    },
    {
      key: 'do',
      head: t('admin.table.actions'),
      align: 'end',
      cell: (row) => (mayWrite ? <RowButtons row={row} onCalled={() => void markCalled(row)} onEdit={() => setOpen(row)} /> : null),
    },
  ]
  const filtered = new URLSearchParams(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))
  return (
    <AdminLayout
      title={t('admin.nav.bookings')}
      actions={
        <ButtonLink kind="secondary" href={`/admin/bookings/export?${filtered}`} download>
          <DownloadIcon size={18} />
          {t('bookings.export')}
        </ButtonLink>
      }
    >
      <FilterBar
        screen="bookings"
        values={query}
        saved={savedFilters}
        fields={[
          { name: 'q', label: t('bookings.phone'), kind: 'search' },
          {
            name: 'state',
            label: t('bookings.state'),
            kind: 'select',
            options: BOOKING_STATES.map((state) => [state, t(`bookings.state.${state}`)]),
          },
          { name: 'district', label: t('bookings.district'), kind: 'select', options: districts },
          {
            name: 'price',
            label: t('bookings.price'),
            kind: 'select',
            options: BOOKING_RANGES.map((range) => [range, rangeText(range, lang)]),
          },
        ]}
      />
      <DataTable
        label={t('admin.nav.bookings')}
        rows={rows}
        columns={columns}
        rowKey={(row) => row.id}
        empty={filtered.size > 0 ? t('admin.table.empty-filtered') : t('bookings.empty')}
      />
      <Paging prev={page.prev} next={page.next} />
      {open ? <EditDialog key={open.id} row={open} onSave={save} onClose={() => setOpen(null)} /> : null}
    </AdminLayout>
  )
}

const LINK = 'tap font-semibold whitespace-nowrap text-leaf-800 underline underline-offset-2'

function PriceRange({ range }: { range: string }) {
  const { lang } = useI18n()
  return <span className="whitespace-nowrap">{rangeText(range, lang)}</span>
}

/** The orders that came of a pre-booking; without any, the way to a new one. */
function Orders({ row: { orders, id } }: { row: BookingRow }) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  if (orders.length === 0)
    return can('orders.write') ? (
      <a href={`/admin/orders/create?booking=${id}`} className={LINK}>
        {t('bookings.new-order')}
      </a>
    ) : null
  return orders.map(({ id, status }) => (
    <span key={id} className="block whitespace-nowrap">
      {can('orders.read') ? (
        <a href={`/admin/orders/update/${id}`} className={LINK}>
          {localizeDigits(lang, String(id))}
        </a>
      ) : (
        localizeDigits(lang, String(id))
      )}{' '}
      <span className="text-stone">{t(`order-status.${status}`)}</span>
    </span>
  ))
}

function RowButtons({ row, onCalled, onEdit }: { row: BookingRow; onCalled: () => void; onEdit: () => void }) {
  const { t } = useI18n()
  return (
    <span className="flex justify-end gap-1.5">
      {row.state === 'new' ? (
        <Button
          size="small"
          onClick={(event) => {
            focusNext(event)
            onCalled()
          }}
          aria-label={t('bookings.called-name', { name: row.name })}
        >
          {t('bookings.called')}
        </Button>
      ) : null}
      <Button size="small" kind="secondary" onClick={onEdit} aria-label={t('bookings.edit-name', { name: row.name })}>
        {t('bookings.edit')}
      </Button>
    </span>
  )
}

function Customer({ row }: { row: BookingRow }) {
  const { lang } = useI18n()
  return (
    <>
      <span className="block font-semibold break-words">{row.name}</span>
      <a href={callLink(row.phone)} className="tap tabular-nums text-leaf-800 underline underline-offset-2">
        {localizeDigits(lang, row.phone)}
      </a>
      {row.email ? <span className="block text-xs font-normal break-all text-stone">{row.email}</span> : null}
    </>
  )
}

interface EditDialogProps {
  row: BookingRow
  onSave: (row: BookingRow, state: BookingState, note: string) => Promise<string | null>
  onClose: () => void
}

function EditDialog({ row, onSave, onClose }: EditDialogProps) {
  const { t } = useI18n()
  return (
    <StateNoteDialog
      name={`booking-${row.id}-${row.version}`}
      title={row.name}
      labels={{ state: t('bookings.state'), note: t('bookings.note') }}
      states={BOOKING_STATES.map((value) => ({ value, label: t(`bookings.state.${value}`) }))}
      initial={row}
      maxNoteLength={MAX_BOOKING_NOTE_LENGTH}
      onSave={(state, note) => onSave(row, state, note)}
      onClose={onClose}
    />
  )
}
