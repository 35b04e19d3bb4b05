import { useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from './admin-post.ts'
import { moved } from './drag-order.ts'

interface SaveOptions<Row> {
  url: string
  /** These rows were saved in this order. */
  onSaved?(rows: readonly Row[]): void
  /** The newest order could not be saved. `message`: the server's; null without one. */
  onFailed(message: string | null): void
}

/**
 * Saves the order of a list after every move. One call after the other: two at once could arrive in the wrong order. Of the orders that wait
 * the newest is sent, which has the moves of the others.
 */
export function useSaveOrder<Row extends { id: number }>({
  url,
  onSaved,
  onFailed,
}: SaveOptions<Row>): (rows: readonly Row[]) => Promise<void> {
  const { t } = useI18n()
  const waiting = useRef<readonly Row[] | null>(null)
  const isSaving = useRef(false)
  const takeWaiting = () => {
    const { current } = waiting
    waiting.current = null
    return current
  }
  return async (next) => {
    if (isSaving.current) return void (waiting.current = next)
    isSaving.current = true
    let rows: readonly Row[] | null = next
    while (rows !== null) {
      const saved = await adminPost(url, { order: rows.map(({ id }, index) => ({ id, priority: index + 1 })) })
      if (saved.ok) onSaved?.(rows)
      rows = takeWaiting()
      if (rows !== null) continue
      if (saved.ok) showToast(t('moving.saved'))
      else onFailed(saved.message)
    }
    isSaving.current = false
  }
}

/** A manually sorted list, saved after every move. Where that fails it shows the order that the server has. */
export function useSortOrder<Row extends { id: number }>(initial: Row[], url: string) {
  const { t } = useI18n()
  const [rows, setRows] = useState(initial)
  const stored = useRef<readonly Row[]>(initial)
  const save = useSaveOrder<Row>({
    url,
    onSaved: (saved) => void (stored.current = saved),
    onFailed(message) {
      setRows([...stored.current])
      showToast([t('moving.failed'), message].filter(Boolean).join('. '), { kind: 'error' })
    },
  })
  function move(from: number, to: number) {
    const next = moved(rows, from, to)
    setRows(next)
    void save(next)
  }
  return { rows, move }
}
