import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'
import { showToast } from '#components/toast.tsx'
import { useI18n } from '#page/page-context.tsx'
import { type AddRefusal, type RefusalProps, refusalText } from './refusal-text.ts'

let refusal: AddRefusal | null = null
const listeners = new Set<() => void>()
let isLoaded = false

export function showAddRefusal(next: AddRefusal | null): void {
  refusal = next
  isLoaded ||= next !== null
  for (const listener of listeners) listener()
}

// Few visits need the dialog. Without a connection its text comes as a toast.
const CartDialog = lazy(() =>
  import('./cart-dialog.tsx').then(
    (module) => ({ default: module.CartDialog }),
    () => ({ default: RefusalToast }),
  ),
)

/** Loads the dialog with the first product that is not added. Once a page. */
export function AddRefusalDialog() {
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
      <CartDialog refusal={shown} onClose={() => showAddRefusal(null)} />
    </Suspense>
  ) : null
}

function RefusalToast({ refusal: shown, onClose }: RefusalProps): ReactNode {
  const { t } = useI18n()
  useEffect(() => {
    if (!shown) return
    showToast(refusalText(shown, t), { kind: 'error' })
    onClose()
  }, [shown, t, onClose])
  return null
}
