import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { focusNext } from '#components/focus-beside.ts'
import { showToast } from '#components/toast.tsx'
import type { AreaRequestRow } from '#features/area-requests/queries.server.ts'
import { AREA_REQUEST_STATES, type AreaRequestState, MAX_AREA_REQUEST_NOTE_LENGTH } from '#features/area-requests/rules.ts'
import type { KeysetPage } from '#lib/db/keyset.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { Paging } from '../ui/paging.tsx'
import { isSameInput } from '../ui/same-input.ts'
import { conflictText, StateNoteDialog } from '../ui/state-note-dialog.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

export interface Props {
  page: KeysetPage<AreaRequestRow>
  state: AreaRequestState | null
}

const CHIPS: Record<AreaRequestState, string> = { new: 'chip-mango', called: 'chip-indigo', done: 'chip-leaf' }

/** People whose area is not listed in the checkout, with state and note. */
export function Page({ page, state }: Props) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [rows, setRows] = useState(page.rows)
  const [open, setOpen] = useState<AreaRequestRow | null>(null)
  const save = async (row: AreaRequestRow, to: AreaRequestState, note: string) => {
    const body = { state: to, note, version: row.version }
    const written = await adminPost<{ request: AreaRequestRow }>(`/admin/area-requests/${row.id}`, body)
    const saved = written.ok ? written.body.request : written.saved?.request
    if (saved) {
      setRows((before) => before.map((one) => (one.id === saved.id ? saved : one)))
      setOpen((now) => (now?.id === saved.id ? saved : now))
    }
    // As it was sent: a press whose answer was lost has saved it.
    const isSaved = written.ok || (saved?.state === to && isSameInput(saved.note, note))
    if (!isSaved) return written.errors.note?.[0] ?? conflictText({ shown: row.note, sent: note, saved: saved?.note }, written, t)
    showToast(t('area-requests.saved'))
    return null
  }
  const move = async (row: AreaRequestRow, to: AreaRequestState) => {
    const problem = await save(row, to, row.note)
    if (problem) showToast(problem, { kind: 'error' })
  }
  const columns: Column<AreaRequestRow>[] = [
    {
      key: 'who',
      head: t('area-requests.name'),
      lead: true,
      cell: (row) => (
        <>
          <span className="block font-semibold break-words">{row.name}</span>
          <a href={callLink(row.phone)} className="tap tabular-nums text-leaf-800 underline underline-offset-2">
            {localizeDigits(lang, row.phone)}
          </a>
        </>
      ),
    },
    { key: 'place', head: t('area-requests.place'), cell: (row) => <span className="block max-w-60 break-words">{row.place}</span> },
    {
      key: 'state',
      head: t('area-requests.state'),
      corner: true,
      cell: (row) => <span className={`chip ${CHIPS[row.state]}`}>{t(`area-requests.state.${row.state}`)}</span>,
    },
    {
      key: 'note',
      head: t('area-requests.note'),
      cell: (row) => (row.note ? <span className="block max-w-60 break-words whitespace-pre-line">{row.note}</span> : null),
    },
    {
      key: 'when',
      head: t('area-requests.when'),
      wideOnly: true,
      cell: (row) => (
        <time dateTime={row.created_at} className="whitespace-nowrap">
          {formatDateTime(new Date(row.created_at), lang)}
        </time>
      ),
    },
    {
      key: 'do',
      head: t('admin.table.actions'),
      align: 'end',
      cell: (row) => (can('bookings.write') ? <RowButtons row={row} onMove={move} onEdit={() => setOpen(row)} /> : null),
    },
  ]
  const tab = (one: AreaRequestState | null) => ({
    label: one === null ? t('area-requests.all') : t(`area-requests.state.${one}`),
    href: one === null ? '/admin/area-requests' : `/admin/area-requests?state=${one}`,
    isCurrent: one === state,
  })
  return (
    <AdminLayout title={t('admin.nav.area-requests')}>
      <Tabs label={t('area-requests.state')} tabs={[null, ...AREA_REQUEST_STATES].map(tab)} />
      <DataTable
        label={t('admin.nav.area-requests')}
        rows={rows}
        columns={columns}
        rowKey={(row) => row.id}
        empty={state === null ? t('area-requests.empty') : t('admin.table.empty-filtered')}
      />
      <Paging prev={page.prev} next={page.next} />
      {open ? (
        <StateNoteDialog
          key={open.id}
          name={`area-request-${open.id}-${open.version}`}
          title={open.name}
          labels={{ state: t('area-requests.state'), note: t('area-requests.note') }}
          states={AREA_REQUEST_STATES.map((value) => ({ value, label: t(`area-requests.state.${value}`) }))}
          initial={open}
          maxNoteLength={MAX_AREA_REQUEST_NOTE_LENGTH}
          onSave={(state, note) => save(open, state, note)}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </AdminLayout>
  )
}

interface RowButtonsProps {
  row: AreaRequestRow
  onMove: (row: AreaRequestRow, to: AreaRequestState) => Promise<void>
  onEdit: () => void
}

function RowButtons({ row, onMove, onEdit }: RowButtonsProps) {
  const { t } = useI18n()
  const next = row.state === 'new' ? 'called' : row.state === 'called' ? 'done' : null
  return (
    <span className="flex justify-end gap-1.5">
      {next === null ? null : (
        <Button
          size="small"
          onClick={(event) => {
            // After the last step the button is gone.
            if (next === 'done') focusNext(event)
            void onMove(row, next)
          }}
          aria-label={`${t(`area-requests.mark.${next}`)}: ${row.name}`}
        >
          {t(`area-requests.mark.${next}`)}
        </Button>
      )}
      <Button size="small" kind="secondary" onClick={onEdit} aria-label={t('area-requests.edit-name', { name: row.name })}>
        {t('area-requests.edit')}
      </Button>
    </span>
  )
}
