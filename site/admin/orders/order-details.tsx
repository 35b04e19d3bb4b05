import type { ReactNode } from 'react'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { isOpen } from '#features/orders/rules.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { useI18n } from '#page/page-context.tsx'
import { SectionHead } from './order-items.tsx'

interface OrderDetailsProps {
  order: AdminOrder
  areas: { id: number; area_name: string }[]
  onEdit?: (() => void) | undefined
}

/** Contact, delivery and notes of an order, to be read. */
export function OrderDetails({ order, areas, onEdit }: OrderDetailsProps) {
  const { t, lang } = useI18n()
  const area = areas.find(({ id }) => id === order.area_id)?.area_name ?? null
  const { status, goods_on: goodsOn, list_on: listOn, first_delivery_on: firstOn } = order
  const goodsFrom = isOpen(status) && firstOn === null && goodsOn !== null && goodsOn > listOn ? goodsOn : null
  const phones = [order.phone, order.alternate_phone].filter((phone) => phone !== '')
  const row = (label: string, value: ReactNode, isWide = false) =>
    value === null || value === '' ? null : (
      <div className={isWide ? 'sm:col-span-2' : ''}>
        <dt className="text-sm text-stone">{label}</dt>
        <dd className="wrap-anywhere">{value}</dd>
      </div>
    )
  return (
    <section className="admin-card p-4" aria-labelledby="order-details">
      <SectionHead id="order-details" section="details" title={t('admin-orders.contact')} onEdit={onEdit} />
      <dl className="mt-1 grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {row(t('admin-orders.name'), shownName(order.name, lang))}
        {row(
          t('admin-orders.phone'),
          phones.length === 0 ? null : (
            <span className="flex flex-wrap gap-x-3">
              {phones.map((phone) => (
                <a key={phone} href={callLink(phone)} className="tap tabular-nums font-semibold text-leaf-800 underline underline-offset-4">
                  {localizeDigits(lang, phone)}
                </a>
              ))}
            </span>
          ),
        )}
        {order.is_over_counter
          ? row(t('door.handover'), t('door.over-counter'))
          : order.is_collection
            ? row(t('admin-orders.collection'), t('admin-orders.collects'))
            : row(
                t('admin-orders.address'),
                [shownName(order.address, lang), area, order.landmark].filter(Boolean).map((part, at) => (
                  <span key={at} className="block">
                    {part}
                  </span>
                )),
              )}
        {order.is_over_counter
          ? null
          : row(
              t(order.is_collection ? 'admin-orders.collection-day' : 'admin-orders.list-on'),
              <>
                {formatDay(order.deliver_on, lang)}
                {goodsFrom ? (
                  <span className="block text-sm text-stone">{t('admin-orders.goods-from', { day: formatDay(goodsFrom, lang) })}</span>
                ) : null}
              </>,
            )}
        {row(t('admin-orders.note'), order.note, true)}
        {row(t('admin-orders.remarks'), order.remarks === '' ? '' : <span className="whitespace-pre-line">{order.remarks}</span>, true)}
        {order.reason ? row(t('admin-orders.reason'), order.reason, true) : null}
      </dl>
    </section>
  )
}
