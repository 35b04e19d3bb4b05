import { useEffect, useRef, useSyncExternalStore } from 'react'
import { AlertIcon, CheckIcon, CloseIcon, InfoIcon } from './icons.tsx'

export interface Toast {
  id: number
  text: string
  kind: 'success' | 'error' | 'news'
  /** Where the text leads. */
  href?: string
}

const STANDARD_MS = 5000
/** A link must be reached first. */
const LINK_MS = 15_000
const MAX_TOASTS = 3
const NONE: readonly Toast[] = []

let toasts: readonly Toast[] = NONE
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Calls the listener when toasts come or go, until the returned function is called. */
export function onToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Shows a message at the top right for 5 seconds, one with a link for 15, and as long as the focus or the pointer is on its link or button. It
 * takes the place of the same message. Important information must be on the page too.
 */
export function showToast(text: string, options: Partial<Pick<Toast, 'kind' | 'href'>> & { milliseconds?: number } = {}): void {
  const milliseconds = options.milliseconds ?? (options.href ? LINK_MS : STANDARD_MS)
  const toast: Toast = { id: ++lastId, text, kind: options.kind ?? 'success', href: options.href }
  change([...toasts.filter((other) => other.text !== text), toast].slice(-MAX_TOASTS))
  const close = () => {
    const shown = document.getElementById(`toast-${toast.id}`)
    if (shown?.matches(':hover') || shown?.contains(document.activeElement)) setTimeout(close, milliseconds)
    else closeToast(toast.id)
  }
  setTimeout(close, milliseconds)
}

/** The toasts that are shown, oldest first. */
export function pendingToasts(): readonly Toast[] {
  return toasts
}

/** Removes a toast. */
export function closeToast(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

/** The place of the toasts, once on a page. `role="status"` announces them without moving the focus. */
export function ToastRegion({ closeLabel }: { closeLabel: string }) {
  const shown = useSyncExternalStore(
    onToasts,
    () => toasts,
    () => NONE,
  )
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = region.current
    if (!element?.showPopover || shown.length === 0 || !document.querySelector('dialog[open]')) return
    // Only an element that enters the top layer after an open dialog is above it.
    element.popover = 'manual'
    element.showPopover()
    return () => {
      element.popover = null
    }
  }, [shown])
  return (
    <div
      ref={region}
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 top-3 bottom-auto z-50 m-0 flex w-auto flex-col items-end gap-2 overflow-visible border-0 bg-transparent p-0"
    >
      {shown.map((toast) => (
        <div
          key={toast.id}
          id={`toast-${toast.id}`}
          // A press beside its link and button is for what the toast covers.
          className="rise flex w-full max-w-sm items-center gap-3 rounded-card border border-line bg-milk py-1 ps-4 pe-1 shadow-soft"
        >
          <span className={toast.kind === 'error' ? 'text-terracotta' : 'text-leaf-600'}>
            {toast.kind === 'error' ? <AlertIcon /> : toast.kind === 'news' ? <InfoIcon /> : <CheckIcon />}
          </span>
          <span className="grow py-2">
            {toast.href ? (
              <a href={toast.href} className="pointer-events-auto font-semibold underline underline-offset-4">
                {toast.text}
              </a>
            ) : (
              toast.text
            )}
          </span>
          <button
            type="button"
            aria-label={closeLabel}
            className="pointer-events-auto grid size-11 shrink-0 place-items-center rounded-pill hover:bg-leaf-100"
            onClick={() => closeToast(toast.id)}
          >
            <CloseIcon size={16} />
          </button>
        </div>
      ))}
    </div>
  )
}
