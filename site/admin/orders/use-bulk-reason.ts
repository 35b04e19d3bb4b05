import type { OrderStatus } from '#features/orders/rules.ts'
import { useDialogDraft } from '../ui/use-dialog-draft.ts'

/** The reason of a change of several orders. They have no common version: it stays until it was sent. */
export function useBulkReason(to: OrderStatus) {
  const { typed, setTyped, reset } = useDialogDraft(`bulk-${to}`, 0, { reason: '' })
  return { reason: typed.reason, setReason: (reason: string) => setTyped({ reason }), reset }
}
