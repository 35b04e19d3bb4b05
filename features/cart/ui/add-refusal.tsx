import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'
import { showToast } from '#components/toast.tsx'
import { useI18n } from '#page/page-context.tsx'
import { type AddError, type ErrorProps, refusalText } from './refusal-text.ts'

let refusal: AddError | null = null
const listeners = new Set<() => void>()
let isLoaded = false

export function showAddError(next: AddError | null): void {
  refusal = next
  isLoaded ||= next !== null
  for (const listener of listeners) listener()
}

// Few visits need the dialog, so it is loaded on demand. Without a connection its text is shown as a toast.
const CartDialog = lazy(() =>
  import('./cart-dialog.tsx').then(
    (module) => ({ default: module.CartDialog }),
    () => ({ default: ErrorToast }),
  ),
)

/** Loads the dialog for the first product that is not added. Once on a page. */
export function AddErrorDialog() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => refusal,
    () => null,
  )
  return isLoaded ? (
    <Suspense>
      <CartDialog refusal={shown} onClose={() => showAddError(null)} />
    </Suspense>
  ) : null
}

function ErrorToast({ refusal: shown, onClose }: ErrorProps): ReactNode {
  const { t } = useI18n()
  useEffect(() => {
    if (!shown) return
    showToast(refusalText(shown, t), { kind: 'error' })
    onClose()
  }, [shown, t, onClose])
  return null
}
