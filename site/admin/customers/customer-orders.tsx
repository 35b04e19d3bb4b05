import type { CustomerRecord } from '#features/customers/customer-record.server.ts'
import type { OrderRow } from '#features/orders/history/order-list.server.ts'
import { isLive } from '#features/orders/rules.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { dhakaDate, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { OrderTotal } from '../orders/order-total.tsx'
import { StatusChip } from '../orders/status-chip.tsx'

/** The newest orders with amounts due, and a link to all orders. */
export function CustomerOrders({ customer, orders }: { customer: CustomerRecord; orders: OrderRow[] }) {
  const { t, lang } = useI18n()
  return (
    <section className="admin-card p-4">
      <div className="flex items-baseline gap-3">
        <h2 className="text-lg">{t('customers.orders')}</h2>
        {customer.orders_count > orders.length ? (
          <a href={`/admin/orders?user_id=${customer.id}`} className="ms-auto text-sm font-semibold text-leaf-600 hover:underline">
            {t('customers.all-orders')}
          </a>
        ) : null}
      </div>
      {orders.length === 0 ? <p className="mt-2 text-sm text-stone">{t('customers.no-orders')}</p> : null}
      <ul className="mt-2 divide-y divide-line text-sm">
        {orders.map((order) => (
          <li key={order.id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 py-2">
            <span className="min-w-0">
              <a href={`/admin/orders/update/${order.id}`} className="tabular-nums me-2 font-semibold text-leaf-800 hover:underline">
                {localizeDigits(lang, String(order.id))}
              </a>
              <StatusChip status={order.status} />
            </span>
            <b className="tabular-nums text-end">
              <OrderTotal order={order} />
            </b>
            <span className="break-words text-stone">
              {formatDay(dhakaDate(new Date(order.placed_at)), lang)} · {order.goods}
            </span>
            {isLive(order.status) && order.due > 0 ? (
              <span className="tabular-nums text-end text-terracotta">
                {t('admin-orders.due')} {money(order.due, lang)}
              </span>
            ) : order.due < 0 ? (
              <span className="tabular-nums text-end text-terracotta">
                {t('admin-orders.to-refund')} {money(-order.due, lang)}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
