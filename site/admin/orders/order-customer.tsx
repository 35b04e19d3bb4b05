import type { ReactNode } from 'react'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

const LINK = 'pointer-coarse:inline-flex pointer-coarse:min-h-11 items-center font-semibold text-leaf-800 underline underline-offset-4'

/** Whose order it is; to be read only. */
export function OrderCustomer({ order }: { order: AdminOrder }) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  /** A sale without a phone belongs to no customer. */
  const isKnown = order.customer.phone !== ''
  const row = (label: string, value: ReactNode) => (
    <div className="flex items-baseline justify-between gap-4 py-0.5">
      <dt className="shrink-0 text-stone">{label}</dt>
      <dd className="min-w-0 text-end wrap-anywhere">{value}</dd>
    </div>
  )
  return (
    <section className="admin-card p-4">
      <h2 className="text-lg">{t('admin-orders.customer')}</h2>
      <dl className="mt-2 text-sm">
        {isKnown
          ? row(t('admin-orders.customer-id'), <span className="tabular-nums">{localizeDigits(lang, String(order.customer.id))}</span>)
          : null}
        {row(
          t('admin-orders.name'),
          can('customers.read') && isKnown ? (
            <a href={`/admin/customers/${order.customer.id}`} className={LINK}>
              {shownName(order.customer.name, lang)}
            </a>
          ) : (
            shownName((isKnown ? order.customer : order).name, lang)
          ),
        )}
        {isKnown
          ? row(
              t('admin-orders.phone'),
              <a href={callLink(order.customer.phone)} className={`tabular-nums ${LINK}`}>
                {localizeDigits(lang, order.customer.phone)}
              </a>,
            )
          : null}
        {order.email ? row(t('admin-orders.email'), order.email) : null}
        {row(t('admin-orders.placed'), formatDateTime(new Date(order.placed_at), lang))}
        {row(t('admin-orders.source'), t(`admin-orders.source.${order.source}`))}
        {order.pre_booked_at === null
          ? null
          : row(
              t('admin-orders.pre-booked'),
              can('bookings.read') ? (
                <a href={`/admin/bookings?q=${order.phone}`} className={LINK}>
                  {formatDateTime(new Date(order.pre_booked_at), lang)}
                </a>
              ) : (
                formatDateTime(new Date(order.pre_booked_at), lang)
              ),
            )}
      </dl>
      {isKnown ? (
        <a
          href={`/admin/orders?user_id=${order.customer.id}`}
          className="mt-2 inline-flex min-h-9 pointer-coarse:min-h-11 items-center text-sm font-semibold text-leaf-600 hover:underline"
        >
          {t('admin-orders.customer-orders')}
        </a>
      ) : null}
    </section>
  )
}
