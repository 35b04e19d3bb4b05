import type { OrderRow } from '#features/orders/history/order-list.server.ts'
import { isLive } from '#features/orders/rules.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { useI18n } from '#page/page-context.tsx'

/** The total of an order in a list; that of a cancelled or returned order is struck through. */
export function OrderTotal({ order }: { order: Pick<OrderRow, 'status' | 'ordered' | 'total'> }) {
  const { lang } = useI18n()
  if (isLive(order.status)) return money(order.total, lang)
  return <s className="font-normal text-stone">{money(order.ordered, lang)}</s>
}
