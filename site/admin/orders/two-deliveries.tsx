import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

/** Dates and products of an order in two deliveries; nothing for a single delivery. */
export function TwoDeliveries({ order }: { order: AdminOrder }) {
  const { t, lang } = useI18n()
  if (order.first_delivery_on === null) return null
  return (
    <div className="rounded-card bg-sand px-3 py-2 text-sm">
      <p className="font-semibold">{t('admin-orders.two-deliveries')}</p>
      <ul>
        {[order.first_delivery_on, order.deliver_on].map((day) => (
          <li key={day}>
            {formatDay(day, lang)}:{' '}
            {order.lines
              .filter((line) => line.delivery_on === day)
              .map((line) => line.product_name)
              .join(', ')}
          </li>
        ))}
      </ul>
      <p className="text-stone">{t('admin-orders.two-deliveries-hint')}</p>
    </div>
  )
}
