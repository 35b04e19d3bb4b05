import { memo, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { onToasts, pendingToasts } from '#components/toast.tsx'

const NONE = [] as const

/** Tells the last error inside the open dialog: outside of it the page is inert, and screen readers do not hear the region of the toasts. */
export const ToastAlert = memo(function ToastAlert() {
  const last = useSyncExternalStore(onToasts, pendingToasts, () => NONE).at(-1)
  const dialog = last?.kind === 'error' && [...document.querySelectorAll('dialog[open]')].at(-1)
  if (!dialog) return null
  const alert = (
    <p key={last.id} role="alert" className="sr-only">
      {last.text}
    </p>
  )
  return createPortal(alert, dialog)
})
