import { type ReactNode, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { StatementPreview } from '#features/reconciliation/read-statement.server.ts'
import { DAY_ORDERS, MAX_STATEMENT_BYTES, type DayOrder, type StatementMapping } from '#features/reconciliation/rules.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, failureText, type PostResult } from '../ui/admin-post.ts'
import { CSV_TIMEOUT_MS, readCsvFile } from '../ui/csv-file.ts'
import { AlertIcon, TextIcon } from '../ui/icons.tsx'
import { FileButton } from '../ui/picture-drop.tsx'
import { ScrollArea } from '../ui/scroll-area.tsx'

interface ImportResult {
  rows: number
  added: number
  skipped: number
  matched: number
  from: string
  to: string
}

interface ChosenFile {
  name: string
  csv: string
}

/** Uploads a statement: the file, then its columns, then the result. */
export function StatementUpload({ accountId, onImported }: { accountId: number; onImported: () => void }) {
  const { t } = useI18n()
  const [file, setFile] = useState<ChosenFile | null>(null)
  const [preview, setPreview] = useState<StatementPreview | null>(null)
  const [mapping, setMapping] = useState<StatementMapping | null>(null)
  const [problems, setProblems] = useState<string[]>([])
  const [busy, setBusy] = useState<'read' | 'write' | null>(null)
  const [done, setDone] = useState<ImportResult | null>(null)
  const url = `/admin/payments/accounts/${accountId}/statement`
  const refused = (answer: PostResult<unknown> & { ok: false }) => {
    const named = Object.values(answer.errors).flat()
    setProblems(named.length > 0 ? named : [failureText(answer, t)])
  }
  async function read(files: Iterable<File>) {
    const [chosen] = files
    if (!chosen) return
    setDone(null)
    setPreview(null)
    setFile(null)
    setProblems([])
    if (chosen.size > MAX_STATEMENT_BYTES) return setProblems([t('reconcile.large')])
    const csv = await readCsvFile(chosen)
    if (csv === null) return setProblems([t('upload.unreadable')])
    setBusy('read')
    const next = { name: chosen.name, csv }
    setFile(next)
    const answer = await adminPost<{ preview: StatementPreview }>(
      url,
      { csv: next.csv, file_name: next.name },
      { timeoutMs: CSV_TIMEOUT_MS },
    )
    setBusy(null)
    if (!answer.ok) return refused(answer)
    setPreview(answer.body.preview)
    setMapping(answer.body.preview.mapping)
  }
  async function write() {
    if (!file) return
    setBusy('write')
    setProblems([])
    const answer = await adminPost<ImportResult>(url, { csv: file.csv, file_name: file.name, mapping }, { timeoutMs: CSV_TIMEOUT_MS })
    setBusy(null)
    if (!answer.ok) return refused(answer)
    setDone(answer.body)
    onImported()
    setPreview(null)
    setFile(null)
    showToast(t('reconcile.saved'))
  }
  return (
    <section className="admin-card grid gap-3 p-4 sm:p-5">
      <h2 className="text-lg">{t('reconcile.upload')}</h2>
      <p className="max-w-prose">{t('reconcile.upload-text')}</p>
      <div className="flex flex-wrap items-center gap-2">
        <FileButton
          label={t('reconcile.choose')}
          icon={<TextIcon size={18} />}
          accept=".csv,.txt,text/csv"
          disabled={busy !== null}
          onFiles={(files) => void read(files)}
        />
        {file ? <span className="text-sm break-all text-stone">{file.name}</span> : null}
      </div>
      <div role="status">
        {busy === 'read' ? t('reconcile.reading') : null}
        {done ? <Result result={done} accountId={accountId} /> : null}
      </div>
      {problems.length > 0 ? (
        <div role="alert" className="flex gap-2 rounded-card bg-terracotta-100 px-3.5 py-2.5 font-semibold text-terracotta">
          <AlertIcon className="mt-0.5 shrink-0" />
          <ul className="min-w-0">
            {problems.map((problem) => (
              <li key={problem} className="break-words">
                {problem}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {preview && mapping ? (
        <Columns preview={preview} mapping={mapping} onChange={setMapping}>
          <Button busy={busy === 'write'} onClick={() => void write()}>
            {t('reconcile.import')}
          </Button>
        </Columns>
      ) : null}
    </section>
  )
}

function Result({ result, accountId }: { result: ImportResult; accountId: number }) {
  const { t, lang } = useI18n()
  const { rows, added, skipped, matched, from, to } = result
  return (
    <div className="rounded-card bg-leaf-100 px-3.5 py-2.5">
      <p className="font-semibold">{t('reconcile.imported', { added: formatNumber(added, lang), matched: formatNumber(matched, lang) })}</p>
      {rows > added ? <p>{t('reconcile.known', { known: formatNumber(rows - added, lang) })}</p> : null}
      {skipped > 0 ? <p>{t('reconcile.skipped', { skipped: formatNumber(skipped, lang) })}</p> : null}
      <p className="mt-1">
        <a
          className="tap inline-flex min-h-6 items-center font-semibold text-leaf-800 underline underline-offset-4"
          href={`/admin/payments/accounts/${accountId}?from=${from}&to=${to}`}
        >
          {t('reconcile.show-days')}
        </a>
      </p>
    </div>
  )
}

const COLUMNS = ['day', 'amount', 'credit', 'debit', 'reference', 'details'] as const

interface ColumnsProps {
  preview: StatementPreview
  mapping: StatementMapping
  onChange(mapping: StatementMapping): void
  children: ReactNode
}

/** Which column holds what, beside the first rows of the file. */
function Columns({ preview, mapping, onChange, children }: ColumnsProps) {
  const { t, lang } = useI18n()
  const { columns, sample, rows } = preview
  return (
    <>
      <h3 className="mt-2 font-semibold">{t('reconcile.columns')}</h3>
      <p className="max-w-prose text-sm text-stone">{t('reconcile.columns-text', { rows: formatNumber(rows, lang) })}</p>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {COLUMNS.map((key) => (
          <SelectField
            key={key}
            label={t(`reconcile.column.${key}`)}
            value={mapping[key] ?? ''}
            onChange={({ target }) => onChange({ ...mapping, [key]: key === 'day' ? target.value : target.value || null })}
          >
            <option value="">{t('reconcile.no-column')}</option>
            {columns.map((column) => (
              <option key={column} value={column}>
                {column}
              </option>
            ))}
          </SelectField>
        ))}
        <SelectField
          label={t('reconcile.column.dayOrder')}
          value={mapping.dayOrder}
          onChange={({ target }) => onChange({ ...mapping, dayOrder: target.value as DayOrder })}
        >
          {DAY_ORDERS.map((order) => (
            <option key={order} value={order}>
              {t(`reconcile.order.${order}`)}
            </option>
          ))}
        </SelectField>
      </div>
      <Sample columns={columns} sample={sample} />
      <div>{children}</div>
    </>
  )
}

function Sample({ columns, sample }: Pick<StatementPreview, 'columns' | 'sample'>) {
  const { t } = useI18n()
  return (
    <ScrollArea label={t('reconcile.sample')} className="max-w-full rounded-card border border-line">
      <table className="w-full text-sm">
        <caption className="sr-only">{t('reconcile.sample')}</caption>
        <thead className="bg-sand text-stone">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-2 py-1 text-start font-normal whitespace-nowrap">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.map((cells, row) => (
            <tr key={row} className="border-t border-line">
              {cells.map((cell, column) => (
                <td key={columns[column]} className="max-w-60 truncate px-2 py-1">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
