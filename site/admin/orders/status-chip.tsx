import type { OrderStatus } from '#features/orders/rules.ts'
import { useI18n } from '#page/page-context.tsx'

const LOOKS: Record<OrderStatus, string> = {
  placed: 'chip-tag',
  processing: 'chip-indigo',
  on_delivery: 'chip-mango',
  delivered: 'chip-leaf',
  completed: 'chip-leaf',
  cancelled: 'chip-stone',
  returned: 'chip-terracotta',
}

/** The status of an order, as a coloured chip. */
export function StatusChip({ status }: { status: OrderStatus }) {
  const { t } = useI18n()
  return (
    <span className={`chip ${LOOKS[status]}`} data-status={status}>
      {t(`order-status.${status}`)}
    </span>
  )
}
