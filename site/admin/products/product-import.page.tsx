import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import { MAX_CSV_BYTES } from '#features/catalog/limits.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { CSV_TIMEOUT_MS, readCsvFile } from '../ui/csv-file.ts'
import { AlertIcon, CheckIcon, TextIcon } from '../ui/icons.tsx'
import { AdminLayout } from '../ui/layout.tsx'
import { FileButton } from '../ui/picture-drop.tsx'
import { failureText } from '../ui/admin-post.ts'

export type Props = Record<string, never>

interface Line {
  line: number
  action: 'create' | 'change' | 'same' | 'error'
  id: number | null
  name: string
  changes: { field: string; before: string; after: string }[]
  errors: { field: string; text: string }[]
}

interface Plan {
  sums: Record<Line['action'], number>
  lines: Line[]
  unknown: string[]
  ignored: string[]
  previewHash: string
  done?: boolean
  message?: string
}

const SERVER_ERROR = 500

/** Imports products from a file: first a preview of each line, then all changes or none. */
export function Page(_props: Props) {
  const { t } = useI18n()
  const [file, setFile] = useState<{ name: string; csv: string } | null>(null)
  const [plan, setPlan] = useState<Plan | null>(null)
  const [problem, setProblem] = useState<{ text: string; canRetry: boolean } | null>(null)
  const [busy, setBusy] = useState<'read' | 'write' | null>(null)
  async function send(csv: string, previewHash?: string) {
    setBusy(previewHash ? 'write' : 'read')
    setProblem(null)
    const answer = await call<Plan>('/admin/products/import', {
      method: 'POST',
      body: { csv, ...(previewHash ? { previewHash } : {}) },
      timeoutMs: CSV_TIMEOUT_MS,
    })
    setBusy(null)
    if (!answer.ok) setProblem({ text: failureText(answer.body, t), canRetry: answer.noResponse || answer.status >= SERVER_ERROR })
    // Without a response the preview stays, so that it can be sent again.
    if (!answer.noResponse) setPlan(answer.body?.lines ? answer.body : null)
    if (answer.ok && answer.body.done) {
      const { create, change } = answer.body.sums
      showToast(t('products.import-done', { count: create + change }))
      setFile(null)
    }
  }
  async function read(files: Iterable<File>) {
    const [chosen] = files
    if (!chosen) return
    setPlan(null)
    setFile(null)
    if (chosen.size > MAX_CSV_BYTES) return setProblem({ text: t('products.import-large'), canRetry: false })
    const csv = await readCsvFile(chosen)
    if (csv === null) return setProblem({ text: t('upload.unreadable'), canRetry: false })
    setFile({ name: chosen.name, csv })
    await send(csv)
  }
  const count = plan ? plan.sums.create + plan.sums.change : 0
  return (
    <AdminLayout title={t('products.import-title')} back={{ href: '/admin/products', label: t('admin.nav.products') }}>
      <div className="grid max-w-5xl gap-4">
        <section className="admin-card grid gap-3 p-4 sm:p-5">
          <p className="max-w-prose">{t('products.import-text')}</p>
          <p className="text-sm text-stone">{t('products.import-limit')}</p>
          <div className="flex flex-wrap items-center gap-2">
            <FileButton
              label={t('products.import-choose')}
              icon={<TextIcon size={18} />}
              accept=".csv,.txt,text/csv"
              disabled={busy !== null}
              onFiles={(files) => void read(files)}
            />
            <ButtonLink kind="quiet" size="small" className="min-h-11" href="/admin/products/export?template=1" download>
              {t('products.import-template')}
            </ButtonLink>
            {file ? <span className="text-sm break-all text-stone">{file.name}</span> : null}
          </div>
          <div role="status">{busy === 'read' ? t('products.import-reading') : null}</div>
          {problem ? (
            <div role="alert" className="flex flex-wrap gap-2 rounded-card bg-terracotta-100 px-3.5 py-2.5 font-semibold text-terracotta">
              <AlertIcon className="mt-0.5 shrink-0" />
              <p className="grow basis-60">{problem.text}</p>
              {file && !plan && problem.canRetry ? (
                <Button size="small" kind="secondary" busy={busy !== null} onClick={() => void send(file.csv)}>
                  {t('admin.again')}
                </Button>
              ) : null}
            </div>
          ) : null}
        </section>
        {plan ? (
          <PlanCard plan={plan}>
            {plan.done || plan.sums.error > 0 || count === 0 || !file ? null : (
              <Button busy={busy === 'write'} onClick={() => void send(file.csv, plan.previewHash)}>
                {t('products.import-do', { count })}
              </Button>
            )}
          </PlanCard>
        ) : null}
      </div>
    </AdminLayout>
  )
}

const CHIPS = { create: 'chip-leaf', change: 'chip-indigo', same: 'chip-stone', error: 'chip-mango' }

function PlanCard({ plan, children }: { plan: Plan; children: ReactNode }) {
  const { t, lang } = useI18n()
  const { sums, lines, unknown, ignored, done } = plan
  const sum = useRef<HTMLParagraphElement>(null)
  // The pressed button is gone.
  useEffect(() => void (done && sum.current?.focus()), [done])
  const hidden = sums.create + sums.change + sums.error - lines.length
  return (
    <section className="admin-card p-4 sm:p-5">
      <div className="flex flex-wrap items-center gap-3">
        <p ref={sum} tabIndex={-1} className="tabular-nums flex grow items-center gap-2 text-lg font-semibold" role="status">
          {done ? <CheckIcon className="text-leaf-600" /> : null}
          {t('products.import-sum', sums)}
        </p>
        {children}
      </div>
      {sums.error > 0 ? <p className="mt-1 text-terracotta">{t('products.import-fix')}</p> : null}
      {ignored.length > 0 ? <p className="mt-1">{t('products.import-ignored', { names: ignored.join(', ') })}</p> : null}
      {sums.create + sums.change + sums.error + ignored.length === 0 ? <p className="mt-1">{t('products.import-same-all')}</p> : null}
      {unknown.length > 0 ? <p className="mt-1 text-sm text-stone">{t('products.import-unknown', { names: unknown.join(', ') })}</p> : null}
      {lines.length > 0 ? (
        <ol className="mt-3 divide-y divide-line border-t border-line">
          {lines.map((line) => (
            <li key={line.line} className="flex flex-wrap gap-x-3 gap-y-1 py-2">
              <span className="tabular-nums w-16 shrink-0 text-sm text-stone">
                {t('products.import-line')} {formatNumber(line.line, lang)}
              </span>
              <span className="shrink-0">
                <span className={`chip ${CHIPS[line.action]}`}>{t(`products.import.${line.action}`)}</span>
              </span>
              <span className="min-w-0 grow basis-64">
                <b className="break-words">{line.name}</b>
                {line.errors.map((one, index) => (
                  <span key={index} className="block text-sm break-words text-terracotta">
                    {one.field}: {one.text}
                  </span>
                ))}
                {line.changes.map((one) => (
                  <span key={one.field} className="block text-sm break-words">
                    {one.field}: <s className="text-stone">{one.before || '—'}</s> → {one.after || '—'}
                  </span>
                ))}
              </span>
            </li>
          ))}
        </ol>
      ) : null}
      {hidden > 0 ? <p className="mt-2 text-sm text-stone">{t('products.import-more', { count: hidden })}</p> : null}
    </section>
  )
}
