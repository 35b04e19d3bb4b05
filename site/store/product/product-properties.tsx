import type { ReactNode } from 'react'
import type { Particular } from '#features/catalog/products/particulars.server.ts'
import { parseSizes } from '#features/catalog/quantity-rules.ts'
import { isOrderable } from '#features/catalog/rules.ts'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import { minAdvance } from '#features/pricing/advance-terms-rules.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatKg, formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { formatDay, formatLongDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

/** Description list of a product: tag and weight, the particulars of the product-field list, stock; delivery and advance unless it is sold. */
export function ProductProperties({ product, particulars }: { product: ProductDetailJson; particulars: Particular[] }) {
  const { t, lang } = useI18n()
  const money = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  const sizes = parseSizes(product.size)
  const rows: [string, ReactNode][] = []
  if (product.tag_number)
    rows.push([
      t('catalog.tag'),
      <>
        <b>{product.tag_number}</b> <span className="block text-sm text-stone">{t('product.tag-check')}</span>
      </>,
    ])
  if (product.weight_kg !== null) {
    const weighed = product.weighed_on ? (
      <span className="block text-sm text-stone">{t('catalog.weighed-on', { day: formatDay(product.weighed_on, lang) })}</span>
    ) : null
    rows.push([
      t('product.weight'),
      <>
        <b>{formatKg(toMilli(product.weight_kg), lang)}</b> {weighed}
      </>,
    ])
  }
  rows.push(...particulars)
  if (sizes.length > 0) rows.push([t('product.sizes'), sizes.map((milli) => formatQuantity(milli, product.unit, lang)).join(', ')])
  rows.push([t('product.stock'), stock()])
  if (product.status !== 'sold') {
    if (product.delivery_date) rows.push([t('product.delivery-date'), formatLongDay(product.delivery_date, lang)])
    rows.push([
      t('product.shipping'),
      <>
        {product.shipping_cost === 0 ? null : money(product.shipping_cost)}{' '}
        <span className="block text-sm text-stone">{t('product.shipping-hint')}</span>
      </>,
    ])
    const advance = minAdvance(product)
    if (advance > 0) rows.push([t('product.advance'), formatTaka(advance, lang)])
  }
  return (
    <dl className="tabular-nums mt-6 border-t border-line">
      {rows.map(([name, value]) => (
        <div key={name} className="grid grid-cols-[36%_1fr] gap-x-4 border-b border-line py-2">
          <dt className="text-stone">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )

  function stock(): string {
    if (!isOrderable(product.status)) return t(`catalog.status.${product.status}`)
    if (product.is_unique) return t('product.only-one')
    if (product.max_quantity === null) return t(`catalog.status.${product.status}`)
    return t('product.stock-left', { quantity: formatQuantity(toMilli(product.max_quantity), product.unit, lang) })
  }
}
