import type { AuditRow } from '#features/audit/queries.server.ts'
import type { SavedFilter } from '#features/office/saved-filters.server.ts'
import type { MessageKey } from '#lib/i18n.ts'
import type { KeysetPage } from '#lib/keyset.ts'
import { digitsIn } from '#lib/numbers.ts'
import { formatDateTime } from '#lib/time.ts'
import { useI18n } from '#site/app-root.tsx'
import { fieldWords } from './audit/field-words.ts'
import { type Column, DataTable } from './ui/data-table.tsx'
import { FilterBar } from './ui/filters.tsx'
import { OfficeLayout } from './ui/layout.tsx'
import { Paging } from './ui/paging.tsx'

export interface Props {
  page: KeysetPage<AuditRow>
  actors: { id: number; name: string }[]
  query: Record<string, string>
  savedFilters: SavedFilter[]
}

const SUBJECTS = [
  'order',
  'advance',
  'product',
  'category',
  'area',
  'slot',
  'popup',
  'coupon',
  'rate',
  'customer',
  'booking',
  'sms',
  'staff',
  'settings',
  'till',
  'unsent-sale',
  'shift',
  'text',
]

/** Every change that the staff made: who, when, what, before and after. */
export function Page({ page, actors, query, savedFilters }: Props) {
  const { t, lang } = useI18n()
  // A word that has no text yet shows itself.
  const word = (kind: 'action' | 'subject', name: string) => {
    const key = `audit.${kind}.${name}`
    const text = (t as (key: string) => string)(key)
    return text === key ? name : text
  }
  const columns: Column<AuditRow>[] = [
    {
      key: 'what',
      head: t('audit.what'),
      lead: true,
      cell: (row) => `${word('subject', row.subject)} ${digitsIn(lang, row.subject_id)}: ${word('action', row.action)}`,
    },
    { key: 'who', head: t('audit.who'), cell: (row) => (row.actor ? row.actor.name : t('audit.system')) },
    { key: 'when', head: t('audit.when'), cell: (row) => <time dateTime={row.at}>{formatDateTime(new Date(row.at), lang)}</time> },
    { key: 'changes', head: t('audit.changes'), cell: (row) => <Changes row={row} /> },
    { key: 'ip', head: 'IP', wideOnly: true, cell: (row) => row.ip },
  ]
  return (
    <OfficeLayout title={t('office.nav.audit')}>
      <FilterBar
        screen="audit"
        values={query}
        saved={savedFilters}
        fields={[
          {
            name: 'subject',
            label: t('audit.subject'),
            kind: 'select',
            options: SUBJECTS.map((name) => [name, t(`audit.subject.${name}` as 'audit.subject' & MessageKey)]),
          },
          { name: 'subject_id', label: t('audit.subject-id'), kind: 'text' },
          { name: 'actor', label: t('audit.who'), kind: 'select', options: actors.map(({ id, name }) => [String(id), name]) },
          { name: 'from', label: t('office.from'), kind: 'date' },
          { name: 'to', label: t('office.to'), kind: 'date' },
        ]}
      />
      <DataTable
        label={t('office.nav.audit')}
        rows={page.rows}
        columns={columns}
        rowKey={(row) => row.id}
        empty={Object.values(query).some(Boolean) ? t('office.table.empty-filtered') : t('audit.empty')}
      />
      <Paging prev={page.prev} next={page.next} />
    </OfficeLayout>
  )
}

const MOST_SHOWN = 4

function Changes({ row }: { row: AuditRow }) {
  const { t } = useI18n()
  const fields = [...new Set([...Object.keys(row.before ?? {}), ...Object.keys(row.after ?? {})])].filter((field) => field !== 'version')
  if (fields.length === 0) return null
  const lines = fields.map((field) => (
    <Change key={field} field={field} label={fieldWords(t, row.subject, field)} before={row.before?.[field]} after={row.after?.[field]} />
  ))
  if (fields.length <= MOST_SHOWN && row.before && row.after) return <div className="text-start">{lines}</div>
  return (
    <details className="text-start">
      <summary className="tap text-leaf-600 underline underline-offset-4">
        {t('audit.changes')} ({fields.length})
      </summary>
      <div className="mt-1">{lines}</div>
    </details>
  )
}

function Change({ field, label, before, after }: { field: string; label: string; before: unknown; after: unknown }) {
  return (
    <p className="break-words">
      <span className="text-stone" title={field}>
        {label}:{' '}
      </span>
      {before === undefined ? null : <del className="decoration-terracotta/60">{shown(before)}</del>}{' '}
      {after === undefined ? null : <ins className="font-semibold no-underline">{shown(after)}</ins>}
    </p>
  )
}

/** Whatever it is, as words: `kind: set, charge: 1500`. */
function shown(value: unknown): string {
  if (value === null || value === '') return '–'
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(shown).join('; ')
  return Object.entries(value)
    .map(([key, one]) => `${key}: ${shown(one)}`)
    .join(', ')
}
