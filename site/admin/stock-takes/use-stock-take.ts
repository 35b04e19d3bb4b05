import { useEffect, useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import type { TakeRow, TakeSummary } from '#features/stock-takes/queries.server.ts'
import { expectedNow, fittingReason, readCounted, type TakeReason, type TakeState } from '#features/stock-takes/rules.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { beep } from '../../pos/beep.ts'
import { type CountTask, useCountQueue } from './use-count-queue.ts'
import { useDrafts, without } from './use-drafts.ts'
import { failureText } from '../ui/admin-post.ts'

const REFRESH_MS = 10_000

/** What another person has saved, and what was to be saved here. */
export interface Conflict {
  row: TakeRow
  quantity: string
  reason: TakeReason
}

interface Answer {
  row?: TakeRow
  reason?: string
  message?: string
  errors?: Record<string, string[]>
}

interface Initial {
  id: number
  rows: TakeRow[]
  summary: TakeSummary
  isOpen: boolean
  /** The page shows the newest counts: those of other devices belong to it. */
  isNewest: boolean
}

/**
 * The rows of a sheet on this device. Rows of other devices arrive every ten seconds; a row with typed text or waiting counts is left
 * alone, so that a conflict is seen.
 */
export function useStockTake({ id, rows: initialRows, summary: initialSummary, isOpen, isNewest }: Initial) {
  const { t } = useI18n()
  const { rows, known, versionOf, put } = useRows(initialRows)
  const [summary, setSummary] = useState(initialSummary)
  // Set when the sheet was ended on another screen.
  const [ended, setEnded] = useState<TakeState | null>(null)
  const problems = useProblems()
  const { errors, conflicts, setError, setConflict } = problems
  const drafts = useDrafts()
  const onAnswer = useAnswers({ known, put, setEnded, ...problems })
  const readRecent = useRecent(id)
  const queue = useCountQueue<Answer | null>(`/admin/stock-takes/${id}`, { versionOf, bodyOf, onAnswer, onEmpty: () => void refresh() })

  /** Resolves to the summary of now, or to null without an answer. */
  async function refresh(): Promise<TakeSummary | null> {
    const recent = await readRecent()
    if (recent === null) return null
    setSummary(recent.summary)
    if (recent.state !== 'open') setEnded(recent.state)
    const isBusy = (productId: number) => drafts.has(productId) || queue.holds(productId)
    for (const row of [...recent.rows].reverse()) if (!isBusy(row.id) && isNews(row, known(row.id), isNewest)) put(row)
    return recent.summary
  }
  useInterval(isOpen && ended === null, refresh)

  /** Saves a typed quantity; the reason stays as far as it fits. A missing animal is lost, unless a reason is chosen. */
  function count(row: TakeRow, quantity: string, reason?: TakeReason) {
    const milli = readCounted(quantity)
    if (milli === null) return setError(row.id, t('stock-take.quantity-bad'))
    const difference = milli - (row.line?.expected_milli ?? expectedNow(row) ?? 0)
    const usual = row.is_unique ? 'lost' : (row.line?.reason ?? 'counted')
    drafts.end(row.id)
    setError(row.id, null)
    queue.add({ does: 'count', productId: row.id, quantity, reason: fittingReason(reason ?? usual, difference) })
  }

  /** Takes the other person's count, or saves the own one over it. */
  function settle({ row, quantity, reason }: Conflict, keepsMine: boolean) {
    setConflict(row.id, null)
    put(row)
    if (keepsMine) count(row, quantity, reason)
  }

  return {
    rows,
    summary,
    ended,
    errors,
    conflicts,
    waiting: queue.waiting,
    /** The typed quantities that are not saved yet, by product. */
    unsaved: queue.typed,
    drafts,
    scan: (productId: number, milli = 1000) => queue.add({ does: 'scan', productId, quantity: String(milli / 1000) }),
    count,
    remove: (row: TakeRow) => queue.add({ does: 'remove', productId: row.id }),
    settle,
    refresh,
  }
}

interface Recent {
  state: TakeState
  rows: TakeRow[]
  summary: TakeSummary
}

/** Reads the newest counts of the sheet; null without an answer, and for one that came after that of a later request. */
function useRecent(id: number): () => Promise<Recent | null> {
  const requests = useRef({ sent: 0, answered: 0 })
  return async () => {
    const sent = ++requests.current.sent
    const answer = await call<Recent>(`/api/admin/stock-takes/${id}/recent`)
    if (!answer.ok || sent < requests.current.answered) return null
    requests.current.answered = sent
    return answer.body
  }
}

/**
 * Whether a row belongs on the screen: one that was counted on another device or whose stock has moved, and where the newest counts are
 * listed also an unknown one.
 */
function isNews(row: TakeRow, mine: TakeRow | undefined, isNewest: boolean): boolean {
  if (!mine) return isNewest
  const [version, mineVersion] = [row.line?.version ?? 0, mine.line?.version ?? 0]
  const isMoved = row.stock_milli !== mine.stock_milli || row.ordered_milli !== mine.ordered_milli
  return version > mineVersion || (version === mineVersion && isMoved)
}

function bodyOf({ does, productId, quantity, reason, version }: CountTask): object {
  if (does === 'scan') return { product_id: productId, quantity }
  return does === 'count' ? { product_id: productId, quantity, reason, version } : { product_id: productId, version }
}

interface AnswerOptions extends Pick<ReturnType<typeof useRows>, 'known' | 'put'> {
  setEnded: (state: TakeState) => void
  setError: (id: number, text: string | null) => void
  setConflict: (id: number, conflict: Conflict | null) => void
}

/** Puts the answer to a count into its row: the line, the count of another person, or an error. */
function useAnswers({ known, put, setEnded, setError, setConflict }: AnswerOptions) {
  const { t } = useI18n()
  function reject({ productId, does }: CountTask, body: Answer | null) {
    if (body?.reason === 'ended') setEnded('closed')
    const text = Object.values(body?.errors ?? {})[0]?.[0] ?? failureText(body, t)
    const isShown = known(productId) !== undefined
    if (isShown) setError(productId, text)
    if (does === 'scan' || !isShown) showToast(text, { kind: 'error' })
  }
  return (task: CountTask, { ok, body }: { ok: boolean; body: Answer | null }) => {
    const { productId, does, quantity = '', reason = 'counted' } = task
    if (!ok) beep('rejected')
    if (!body?.row) return reject(task, body)
    setConflict(productId, ok ? null : { row: body.row, quantity, reason })
    // A restored count may belong to a product of another list.
    if (!ok) return known(productId) ? undefined : put(body.row)
    setError(productId, null)
    put(body.row, does === 'scan')
  }
}

export type StockTakeModel = ReturnType<typeof useStockTake>

/** The rows in the order of the page; a scanned one comes first. `known` reads the newest state outside of a render. */
function useRows(initial: TakeRow[]) {
  const [rows, setRows] = useState(initial)
  const [index] = useState(() => new Map(initial.map((row) => [row.id, row])))
  function put(row: TakeRow, isFirst = !index.has(row.id)) {
    index.set(row.id, row)
    setRows((now) => (isFirst ? [row, ...now.filter((one) => one.id !== row.id)] : now.map((one) => (one.id === row.id ? row : one))))
  }
  const known = (id: number) => index.get(id)
  return { rows, known, versionOf: (id: number) => known(id)?.line?.version ?? null, put }
}

/** Errors and conflicts at the rows, by product. */
function useProblems() {
  const [errors, setErrors] = useState<Readonly<Record<number, string>>>({})
  const [conflicts, setConflicts] = useState<Readonly<Record<number, Conflict>>>({})
  return {
    errors,
    conflicts,
    setError: (id: number, text: string | null) => setErrors((now) => (text === null ? without(now, id) : { ...now, [id]: text })),
    setConflict: (id: number, conflict: Conflict | null) =>
      setConflicts((now) => (conflict === null ? without(now, id) : { ...now, [id]: conflict })),
  }
}

/** Runs while the page is visible, every ten seconds. */
function useInterval(isOn: boolean, run: () => Promise<unknown>) {
  const latest = useRef(run)
  useEffect(() => void (latest.current = run))
  useEffect(() => {
    if (!isOn) return
    const timer = setInterval(() => void (document.visibilityState === 'visible' && latest.current()), REFRESH_MS)
    return () => clearInterval(timer)
  }, [isOn])
}
