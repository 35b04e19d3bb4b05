import { useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import type { BulkRun } from '#features/bulk-orders/types.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { CloseIcon } from '../ui/icons.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { ProgressBar } from '../ui/progress-bar.tsx'

const POLL_MS = 2000

/** Bulk changes that go on or ended recently, with progress and the orders that were not changed. */
export function BulkRuns({ runs: first }: { runs: BulkRun[] }) {
  const { t } = useI18n()
  const [runs, setRuns] = useState(first)
  const isRunning = runs.some(({ state }) => state === 'running')
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(async () => {
      const found = document.hidden ? null : await call<{ runs: BulkRun[] }>('/api/admin/orders/bulk')
      if (found?.ok) setRuns(found.body.runs)
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  async function post(id: number, act: 'cancel' | 'dismiss') {
    const written = await adminPost<{ runs: BulkRun[] }>(`/admin/orders/bulk/${id}/${act}`, {})
    if (written.ok) setRuns(written.body.runs)
    else showFailure(written, t)
  }
  if (runs.length === 0) return null
  const hasEnded = first.some(({ id, state }) => state === 'running' && runs.find((run) => run.id === id)?.state !== 'running')
  return (
    <section aria-label={t('admin-orders.runs')} className="mb-3 space-y-2">
      {runs.map((run) => (
        <Run key={run.id} run={run} post={(act) => post(run.id, act)} />
      ))}
      {hasEnded ? (
        <Button size="small" onClick={() => location.reload()}>
          {t('admin-orders.run-reload')}
        </Button>
      ) : null}
    </section>
  )
}

function Run({ run, post }: { run: BulkRun; post: (act: 'cancel' | 'dismiss') => Promise<void> }) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [isBusy, setBusy] = useState(false)
  const number = (value: number) => formatNumber(value, lang)
  const counts = { done: number(run.done), failed: number(run.failed), left: number(run.total - run.done - run.failed) }
  const isRunning = run.state === 'running'
  const act = async () => {
    setBusy(true)
    await post(isRunning ? 'cancel' : 'dismiss')
    setBusy(false)
  }
  const title = t('admin-orders.run', { total: number(run.total), status: t(`order-status.${run.status}`), name: run.by })
  return (
    <div className="admin-card px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p className="min-w-0 grow font-semibold">{title}</p>
        <p className="tabular-nums text-sm text-stone" aria-live="polite">
          {t(
            isRunning ? 'admin-orders.run-progress' : run.state === 'done' ? 'admin-orders.run-done' : 'admin-orders.run-cancelled',
            counts,
          )}
        </p>
        {can('orders.write') ? (
          isRunning ? (
            <Button size="small" kind="secondary" busy={isBusy} onClick={act}>
              {t('admin-orders.run-cancel')}
            </Button>
          ) : (
            <button
              type="button"
              aria-label={`${t('admin.close')}: ${title}`}
              className="grid size-9 place-items-center rounded-pill text-stone hover:text-terracotta pointer-coarse:size-11"
              disabled={isBusy}
              onClick={act}
            >
              <CloseIcon size={15} />
            </button>
          )
        ) : null}
      </div>
      {isRunning ? <ProgressBar className="mt-2" aria-label={title} max={run.total} value={run.done + run.failed} /> : null}
      {run.failed > 0 ? <Failures key={run.state} id={run.id} /> : null}
    </div>
  )
}

interface Failure {
  id: number
  message: string
}

/** The orders that were not changed, loaded when they are opened. */
function Failures({ id }: { id: number }) {
  const { t, lang } = useI18n()
  const [failures, setFailures] = useState<Failure[]>([])
  const [next, setNext] = useState<number | null>(0)
  async function load(after: number) {
    const found = await call<{ failures: Failure[]; next: number | null }>(`/api/admin/orders/bulk/${id}/failures?after=${after}`)
    if (!found.ok) return showToast(t('admin.no-answer'), { kind: 'error' })
    setFailures((now) => [...now.filter((one) => one.id <= after), ...found.body.failures])
    setNext(found.body.next)
  }
  return (
    <details className="mt-1 text-sm" onToggle={(event) => void (event.currentTarget.open && failures.length === 0 && load(0))}>
      <summary className="tap text-leaf-600 underline underline-offset-4">{t('admin-orders.run-failures')}</summary>
      <ul className="mt-1 max-h-72 space-y-1 overflow-y-auto">
        {failures.map((failure) => (
          <li key={failure.id}>
            <a href={`/admin/orders/update/${failure.id}`} className="tabular-nums font-semibold text-leaf-800 underline">
              {localizeDigits(lang, String(failure.id))}
            </a>{' '}
            {failure.message}
          </li>
        ))}
      </ul>
      {next !== null && failures.length > 0 ? (
        <Button size="small" kind="quiet" onClick={() => load(next)}>
          {t('admin-orders.run-more')}
        </Button>
      ) : null}
    </details>
  )
}
