import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus to the row that follows a row that had it and was removed, else to the one before, else to the text of the empty list.
 * Where only the focused control was removed, the focus stays in its row. Spread the result on both.
 */
export function useRemovedRow<Key>(table: RefObject<HTMLTableElement | null>, keys: readonly Key[]) {
  const empty = useRef<HTMLDivElement>(null)
  const focused = useRef<{ key: Key; at: number; control: Element } | null>(null)
  // After each render: the dialog that removes a row may close later than the row goes.
  useEffect(() => {
    const row = focused.current
    if (row === null || row.control.isConnected || document.activeElement !== document.body) return
    focused.current = null
    const rows = rowsOf(table.current)
    const now = keys.indexOf(row.key)
    if (focusRow(rows[now < 0 ? Math.min(row.at, rows.length - 1) : now]) === null) empty.current?.focus()
  })
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const at = rowsOf(table.current).findIndex((row) => row.contains(target))
    const key = keys[at]
    if (key !== undefined) focused.current = { key, at, control: target }
  }
  return { onFocus, empty }
}

const rowsOf = (table: HTMLTableElement | null) => [...(table?.querySelectorAll<HTMLTableRowElement>('tbody tr') ?? [])]

/** Focuses the link of a row, else its first control, so that screen readers announce the row. */
export function focusRow(row: HTMLTableRowElement | undefined): HTMLElement | null {
  const target = row?.querySelector<HTMLElement>('td.lead a') ?? row?.querySelector<HTMLElement>('a, button, input') ?? null
  target?.focus({ preventScroll: true })
  return target
}
