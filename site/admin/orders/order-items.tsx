import { Button } from '#components/button.tsx'
import type { AdminOrder, AdminOrderLine } from '#features/orders/history/order-details.server.ts'
import { deliveryCouponNote, discountLabel, money, namesDelivery } from '#features/orders/ui/invoice-amounts.ts'
import { formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { PencilIcon, PictureIcon } from '../ui/icons.tsx'

/** The products of an order and their sum, to be read. */
export function OrderItems({ order, onEdit }: { order: AdminOrder; onEdit?: (() => void) | undefined }) {
  const { t, lang } = useI18n()
  const goods = order.lines.reduce((total, line) => total + Math.round(line.line_total * 100), 0) / 100
  const { used_coupon: coupon } = order
  const row = (label: string, amount: number, { note = null, isStrong = false }: { note?: string | null; isStrong?: boolean } = {}) => (
    <div className={`flex justify-between gap-4 ${isStrong ? 'font-semibold' : ''}`}>
      <dt>
        {label}
        {note === null ? null : <span className="block text-sm text-stone">{note}</span>}
      </dt>
      <dd>{money(amount, lang)}</dd>
    </div>
  )
  return (
    <section className="admin-card p-4" aria-labelledby="order-items">
      <SectionHead id="order-items" section="lines" title={t('admin-orders.lines')} onEdit={onEdit} />
      <ul className="mt-2 divide-y divide-line">
        {order.lines.map((line) => (
          <li key={line.product_id} className="order-item">
            <Item line={line} order={order} />
          </li>
        ))}
      </ul>
      <dl className="tabular-nums mt-1 ms-auto sm:max-w-xs space-y-0.5 border-t border-line pt-2">
        {row(t('admin-orders.goods-sum'), goods)}
        {namesDelivery(order) ? row(t('admin-orders.shipping'), order.shipping_cost, { note: deliveryCouponNote(t, lang, coupon) }) : null}
        {order.discount > 0 ? row(discountLabel(t, coupon), -order.discount) : null}
        {row(t('admin-orders.total'), order.total, { isStrong: true })}
      </dl>
    </section>
  )
}

function Item({ line, order }: { line: AdminOrderLine; order: AdminOrder }) {
  const { t, lang } = useI18n()
  return (
    <>
      <ProductPicture url={line.picture_url} />
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">
          {line.product_name} {line.tag_number ? <span className="ear-tag">{line.tag_number}</span> : null}
        </p>
        {line.note ? <p className="text-sm wrap-anywhere">– {line.note}</p> : null}
        <p className="tabular-nums text-sm text-stone">
          {line.is_unique ? null : <>{formatQuantity(toMilli(line.quantity), line.unit, lang)} × </>}
          {money(line.price_on_order, lang)}
          {line.base_price === line.price_on_order ? null : (
            <>
              {' '}
              <span className="sr-only">{t('admin-orders.base-price')}</span>
              <s>{money(line.base_price, lang)}</s>
            </>
          )}
          {line.returned > 0 ? (
            <b className="ms-2 font-semibold text-terracotta" data-returned>
              {t('returns.returned', { quantity: formatQuantity(toMilli(line.returned), line.unit, lang) })}
            </b>
          ) : null}
          {order.first_delivery_on === null ? null : <span className="ms-2">{formatDay(line.delivery_on, lang)}</span>}
        </p>
      </div>
      <p className="tabular-nums font-semibold whitespace-nowrap">{money(line.line_total, lang)}</p>
    </>
  )
}

/** A small picture of a product, or a drawn one without it. */
export function ProductPicture({ url }: { url: string | null | undefined }) {
  return url ? (
    <img src={url} alt="" width={56} height={42} loading="lazy" className="h-10.5 w-14 shrink-0 rounded-tag object-cover" />
  ) : (
    <span className="grid h-10.5 w-14 shrink-0 place-items-center rounded-tag bg-sand text-stone">
      <PictureIcon size={18} />
    </span>
  )
}

interface SectionHeadProps {
  id: string
  section: string
  title: string
  onEdit: (() => void) | undefined
}

/** The heading of a section that is read, with the button that opens its fields. */
export function SectionHead({ id, section, title, onEdit }: SectionHeadProps) {
  const { t } = useI18n()
  return (
    <div className="flex min-h-9 items-center justify-between gap-3">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      {onEdit ? (
        <Button
          id={`edit-${section}`}
          kind="quiet"
          size="small"
          onClick={onEdit}
          aria-label={t('admin-orders.edit-section', { section: title })}
        >
          <PencilIcon size={17} />
          {t('admin.edit')}
        </Button>
      ) : null}
    </div>
  )
}
