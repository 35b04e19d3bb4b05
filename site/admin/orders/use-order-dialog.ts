import { useState } from 'react'
import { focusIfLost } from '#components/focus-beside.ts'
import { showToast } from '#components/toast.tsx'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { type PostResult, showFailure } from '../ui/admin-post.ts'
import { usePreservedState } from '../ui/use-preserved-state.ts'

interface OrderDialog<Typed> {
  order: AdminOrder
  /** Begins the name of the typed values. They belong to a version of the order: each entry changes its sums. */
  name: string
  initial: Typed
  onChange: (order: AdminOrder) => void
  close: () => void
}

/** The typed values of a dialog about an order, its errors, and how it is sent. */
export function useOrderDialog<Typed extends object>({ order, name, initial, onChange, close }: OrderDialog<Typed>) {
  const { t } = useI18n()
  const [typed, setTyped, reset, moveTo] = usePreservedState(`${name}-${order.id}`, initial, order.version)
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [isBusy, setBusy] = useState(false)

  function type(changes: Partial<Typed>): void {
    setErrors({})
    setTyped({ ...typed, ...changes })
  }

  /**
   * Sends the dialog, then shows the saved order and closes. After a conflict it does the same, and opened again the dialog has what was typed:
   * nothing is sent again before the clerk has seen the order, which may hold the entry already, whose answer was lost. Null after an error.
   */
  async function send<Body extends { order: AdminOrder }>(post: () => Promise<PostResult<Body>>): Promise<Body | null> {
    setBusy(true)
    const written = await post()
    setBusy(false)
    if (written.ok) {
      reset()
      onChange(written.body.order)
      close()
      // A button that the entry has taken away gets no focus back: the first one of the payments does.
      focusIfLost('[data-entry]')
      return written.body
    }
    const saved = written.saved?.order
    if (!saved) {
      setErrors(written.errors)
      showFailure(written, t)
      return null
    }
    moveTo(saved.version)
    onChange(saved)
    close()
    showToast(t('admin-orders.changed-look'), { kind: 'error' })
    return null
  }
  return { typed, type, errors, setErrors, isBusy, send }
}
