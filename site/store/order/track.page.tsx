import { useEffect, useState } from 'react'
import { startRefresh } from '#features/catalog/ui/status-refresh.ts'
import type { TrackedOrder } from '#features/orders/history/tracking.server.ts'
import { shownStatus } from '#features/orders/rules.ts'
import { formatLongDays } from '#lib/format/time.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'

export interface Props {
  /** The deliveries of an order; a code names one. */
  orders: TrackedOrder[]
}

const STEPS = ['placed', 'processing', 'on_delivery', 'delivered'] as const

/** The delivery status of an order, opened by the code on its invoice. */
export function Page({ orders: loaded }: Props) {
  const { t, lang } = useI18n()
  const orders = useRefreshedOrders(loaded)
  return (
    <StoreLayout>
      {/* The specified element: its JSON holds the products alone, for programs that read the page. */}
      <div id="tracking-qr" data-orders={productsJson(orders)} className="mx-auto max-w-2xl px-4 py-8">
        <div className="flex items-center gap-4">
          <img src="/uploads/logo.png" alt="" width={64} height={64} className="size-16 rounded-card" />
          <h1 className="text-3xl">{t('tracking.title')}</h1>
        </div>
        {orders.map((order, index) => (
          <section key={index} className="mt-6 rounded-card border border-line bg-white p-5 shadow-soft">
            <h2 className="flex flex-wrap items-baseline justify-between gap-x-4 text-lg">
              <span role="status">
                <span className="sr-only">{t('tracking.status')}: </span>
                {t(`order-status.${shownStatus(order)}`)}
              </span>
              {order.delivery_dates.length === 0 ? null : (
                <span className="text-sm font-normal text-stone">
                  {t(order.is_collection ? 'tracking.collect' : 'tracking.day', { day: formatLongDays(order.delivery_dates, lang) })}
                </span>
              )}
            </h2>
            <Steps order={order} />
            <ul aria-label={t('tracking.goods')} className="mt-4 divide-y divide-line border-t border-line">
              {order.order_products.map(({ product }) => (
                <li key={product.qr_url}>
                  <a
                    href={product.qr_url}
                    className="flex min-h-11 items-center gap-3 py-2 font-semibold wrap-anywhere text-leaf-800 underline underline-offset-4"
                  >
                    <img src="/logo.svg" alt="" width={24} height={24} />
                    {product.product_type}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <p className="mt-4 text-sm text-stone">{t('tracking.private')}</p>
      </div>
    </StoreLayout>
  )
}

/** The orders with their state of now, while the page is visible. */
function useRefreshedOrders(loaded: TrackedOrder[]): TrackedOrder[] {
  const [orders, setOrders] = useState(loaded)
  useEffect(
    () =>
      startRefresh<TrackedOrder>(
        {
          isHidden: () => document.visibilityState === 'hidden',
          async fetchStatuses() {
            const answer = await call<{ orders: TrackedOrder[] }>(`/api${location.pathname}`, { cache: 'no-store' })
            return answer.ok ? answer.body.orders : null
          },
          onUpdate: setOrders,
        },
        document,
        window,
      ),
    [],
  )
  return orders
}

/** The specified order groups: no personal data, and neither status nor date. */
function productsJson(orders: TrackedOrder[]): string {
  return JSON.stringify(orders.map(({ order_products }) => ({ order_products })))
}

/** The progress as a line of steps; nothing for an order that ended otherwise. */
function Steps({ order: { status, is_collection } }: { order: TrackedOrder }) {
  const { t } = useI18n()
  const reached = STEPS.indexOf((status === 'completed' ? 'delivered' : status) as (typeof STEPS)[number])
  if (reached < 0) return null
  return (
    <ol className="mt-3 grid grid-cols-4 gap-1 text-xs">
      {STEPS.map((step, index) => (
        <li
          key={step}
          aria-current={index === reached ? 'step' : undefined}
          className={`border-t-4 pt-1.5 wrap-anywhere ${index <= reached ? 'border-leaf-600 font-semibold text-leaf-800' : 'border-line text-stone forced-colors:border-[GrayText]'}`}
        >
          {t(`order-status.${shownStatus({ status: step, is_collection })}`)}
        </li>
      ))}
    </ol>
  )
}
