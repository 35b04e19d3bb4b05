import type { ReactNode } from 'react'
import type { OfficeOrder } from '#features/orders/history/order-details.server.ts'
import { digitsIn } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { useRights } from '../ui/use-permissions.ts'

/** Whose order it is; to be read only. */
export function OrderCustomer({ order }: { order: OfficeOrder }) {
  const { t, lang } = useI18n()
  const { can } = useRights()
  const row = (label: string, value: ReactNode) => (
    <div className="flex justify-between gap-4 py-0.5">
      <dt className="shrink-0 text-stone">{label}</dt>
      <dd className="min-w-0 text-end wrap-anywhere">{value}</dd>
    </div>
  )
  return (
    <section className="office-card p-4">
      <h2 className="text-lg">{t('office-orders.customer')}</h2>
      <dl className="mt-2 text-sm">
        {row(t('office-orders.customer-id'), <span className="figures">{digitsIn(lang, String(order.customer.id))}</span>)}
        {row(
          t('office-orders.name'),
          can('customers.read') ? (
            <a href={`/admin/customers/${order.customer.id}`} className="font-semibold text-leaf-800 underline underline-offset-4">
              {order.customer.name}
            </a>
          ) : (
            order.customer.name
          ),
        )}
        {row(
          t('office-orders.phone'),
          <a href={`tel:${order.customer.phone}`} className="figures font-semibold text-leaf-800 underline underline-offset-4">
            {digitsIn(lang, order.customer.phone)}
          </a>,
        )}
        {order.email ? row(t('office-orders.email'), order.email) : null}
        {row(t('office-orders.placed'), formatDateTime(new Date(order.placed_at), lang))}
        {row(t('office-orders.source'), t(`office-orders.source.${order.source}`))}
      </dl>
      <a
        href={`/admin/orders?user_id=${order.customer.id}`}
        className="mt-2 inline-flex min-h-9 pointer-coarse:min-h-11 items-center text-sm font-semibold text-leaf-600 hover:underline"
      >
        {t('office-orders.customer-orders')}
      </a>
    </section>
  )
}
