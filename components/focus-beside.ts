import type { MouseEvent } from 'react'

/**
 * For a button that removes its row: moves the focus to the first control of the next row, else of the previous one, else to a field. Does
 * nothing after a press of a pointer, where the focus of a field would open a keyboard or a list.
 */
export function focusBeside(event: MouseEvent<HTMLElement>, row: string, fieldId?: string): void {
  if (event.detail !== 0) return
  const removed = event.currentTarget.closest(row)
  const beside = removed?.nextElementSibling ?? removed?.previousElementSibling
  const control = beside?.querySelector<HTMLElement>('button:not(:disabled), input:not(:disabled), select:not(:disabled)')
  ;(control ?? (fieldId === undefined ? null : document.getElementById(fieldId)))?.focus()
}

/** For a button that removes itself: moves the focus to the button after it, as `focusBeside` does. */
export function focusNext(event: MouseEvent<HTMLElement>): void {
  const { nextElementSibling: next } = event.currentTarget
  if (event.detail === 0 && next instanceof HTMLElement) next.focus()
}

/** After a render that has removed the focused button: moves the focus to the first element that matches. */
export function focusIfLost(selector: string): void {
  setTimeout(() => document.activeElement === document.body && document.querySelector<HTMLElement>(selector)?.focus())
}
