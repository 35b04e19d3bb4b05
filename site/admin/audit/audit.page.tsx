import type { AuditNames } from '#features/audit/name-rules.ts'
import type { AuditRow } from '#features/audit/queries.server.ts'
import { AUDIT_SUBJECTS } from '#features/audit/subjects.ts'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import type { MessageKey } from '#lib/i18n/translate.ts'
import { type KeysetPage, LOG_SORTS, readListView } from '#lib/db/keyset.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { auditedAction, auditedRecord, auditedValue, type AuditLabels } from './audit-labels.ts'
import { fieldLabels } from './field-labels.ts'
import { PRODUCT_WORDS } from './product-words.ts'
import { hasFilters } from '../ui/url-query.ts'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { FilterBar } from '../ui/filters.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { ExportLink } from '../ui/export-link.tsx'
import { Paging } from '../ui/paging.tsx'

export interface Props {
  page: KeysetPage<AuditRow>
  actors: { id: number; name: string }[]
  names: AuditNames
  query: Record<string, string>
  savedFilters: SavedFilter[]
}

/** The audit log: actor, time, change, old and new values. */
export function Page({ page, actors, names, query, savedFilters }: Props) {
  const { t, lang } = useI18n()
  const words = { t, lang, names, product: PRODUCT_WORDS }
  const { sort, order, size } = readListView(query, LOG_SORTS, 50)
  const columns: Column<AuditRow>[] = [
    {
      key: 'what',
      head: t('audit.what'),
      lead: true,
      cell: (row) => <What row={row} words={words} action={auditedAction(t, row.action)} />,
    },
    { key: 'who', head: t('audit.who'), cell: (row) => (row.actor ? row.actor.name : t('audit.system')) },
    {
      key: 'when',
      head: t('audit.when'),
      sort: 'new',
      cell: (row) => (
        <time dateTime={row.at} className="whitespace-nowrap">
          {formatDateTime(new Date(row.at), lang)}
        </time>
      ),
    },
    { key: 'changes', head: t('audit.changes'), cell: (row) => <Changes row={row} words={words} /> },
    { key: 'ip', head: 'IP', wideOnly: true, cell: (row) => row.ip },
  ]
  return (
    <AdminLayout title={t('admin.nav.audit')} actions={<ExportLink list="/admin/audit" />}>
      <FilterBar
        screen="audit"
        values={query}
        saved={savedFilters}
        fields={[
          {
            name: 'subject',
            label: t('audit.subject'),
            kind: 'select',
            options: AUDIT_SUBJECTS.map((name) => [name, t(`audit.subject.${name}` as 'audit.subject' & MessageKey)]),
          },
          { name: 'subject_id', label: t('audit.subject-id'), kind: 'text' },
          { name: 'actor', label: t('audit.who'), kind: 'select', options: actors.map(({ id, name }) => [String(id), name]) },
          { name: 'from', label: t('admin.from'), kind: 'date' },
          { name: 'to', label: t('admin.to'), kind: 'date' },
        ]}
      />
      <DataTable
        label={t('admin.nav.audit')}
        rows={page.rows}
        columns={columns}
        rowKey={(row) => row.id}
        sort={{ by: sort, order }}
        empty={hasFilters(query) ? t('admin.table.empty-filtered') : t('audit.empty')}
      />
      <Paging prev={page.prev} next={page.next} size={size} />
    </AdminLayout>
  )
}

const MAX_SHOWN = 4

function What({ row, words, action }: { row: AuditRow; words: AuditLabels; action: string }) {
  const { text, href } = auditedRecord(row, words)
  return (
    <span className="break-words">
      {href ? (
        <a href={href} className="text-leaf-800 underline underline-offset-4">
          {text}
        </a>
      ) : (
        text
      )}{' '}
      <span className="font-normal text-stone">{action}</span>
    </span>
  )
}

function Changes({ row, words }: { row: AuditRow; words: AuditLabels }) {
  const { t, lang } = words
  const fields = [...new Set([...Object.keys(row.before ?? {}), ...Object.keys(row.after ?? {})])].filter((field) => field !== 'version')
  if (fields.length === 0) return null
  const lines = fields.map((field) => (
    <Change
      key={field}
      label={fieldLabels(words, row.subject, field)}
      before={textAt(row.before, field, row, words)}
      after={textAt(row.after, field, row, words)}
    />
  ))
  if (fields.length <= MAX_SHOWN && row.before && row.after) return <div className="text-start">{lines}</div>
  return (
    <details className="text-start">
      <summary className="tap text-leaf-600 underline underline-offset-4">
        {t('audit.changes')} ({formatNumber(fields.length, lang)})
      </summary>
      <div className="mt-1">{lines}</div>
    </details>
  )
}

/** Null where the entry does not hold the field. */
function textAt(fields: AuditRow['before'], field: string, row: AuditRow, words: AuditLabels): string | null {
  return fields && field in fields ? auditedValue(row.subject, field, fields[field], words) : null
}

function Change({ label, before, after }: { label: string; before: string | null; after: string | null }) {
  return (
    <p className="break-words">
      <span className="text-stone">{label}: </span>
      {before === null ? null : <del className="decoration-terracotta/60">{before}</del>}{' '}
      {after === null ? null : <ins className="font-semibold no-underline">{after}</ins>}
    </p>
  )
}
