import { showToast } from '#components/toast.tsx'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { useI18n } from '#page/page-context.tsx'
import type { PostResult } from '../ui/admin-post.ts'
import { preserve } from '../ui/use-preserved-state.ts'

interface OrderDialog {
  /** The name of the typed values under a version of the order. */
  nameOf: (version: number) => string
  typed: unknown
  onChange: (order: AdminOrder) => void
  close: () => void
}

/**
 * After a conflict: shows the order as it is saved, and closes the dialog. Opened again, the dialog has what was typed. Nothing is sent again
 * before the clerk has seen the order: it may hold the entry already, whose answer was lost. False for another error.
 */
export function useOrderConflict({ nameOf, typed, onChange, close }: OrderDialog) {
  const { t } = useI18n()
  return (failure: Extract<PostResult<{ order: AdminOrder }>, { ok: false }>): boolean => {
    const order = failure.saved?.order
    if (!order) return false
    preserve(nameOf(order.version), typed)
    onChange(order)
    close()
    showToast(t('admin-orders.changed-look'), { kind: 'error' })
    return true
  }
}
