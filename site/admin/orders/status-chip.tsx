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

/** Where an order is on its course. */
export function StatusChip({ status }: { status: OrderStatus }) {
  const { t } = useI18n()
  return (
    <span className={`chip ${LOOKS[status]}`} data-status={status}>
      {t(`order-status.${status}`)}
    </span>
  )
}
