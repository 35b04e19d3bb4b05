import { useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from './admin-post.ts'
import { moved } from './drag-order.ts'

/** A manually sorted list, saved after every move; a failed move is undone. */
export function useSortOrder<Row extends { id: number }>(initial: Row[], url: string) {
  const { t } = useI18n()
  const [rows, setRows] = useState(initial)

  async function move(from: number, to: number) {
    const next = moved(rows, from, to)
    setRows(next)
    const saved = await adminPost(url, { order: next.map(({ id }, index) => ({ id, priority: index + 1 })) })
    if (saved.ok) return showToast(t('moving.saved'))
    setRows(rows)
    showToast([t('moving.failed'), saved.message].filter(Boolean).join('. '), { kind: 'error' })
  }
  return { rows, move }
}
