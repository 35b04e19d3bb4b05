import type { AreaJson } from '#features/catalog/types.ts'
import { discountLabel } from '#features/orders/ui/invoice-amounts.ts'
import { formatTaka, type Poisha } from '#lib/format/money.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { ProductPicture } from './order-items.tsx'
import { newOrderSums } from './new-order-sums.ts'
import { lineSum, type NewOrderValues, type PricedCoupon } from './order-values.ts'

interface OrderSummaryProps {
  values: NewOrderValues
  areas: readonly AreaJson[]
  coupon: PricedCoupon | null
}

/** The summary of a new order: items, delivery, total, required advance, amount paid and due. Beside the form it stays in sight. */
export function OrderSummary({ values, areas, coupon }: OrderSummaryProps) {
  const { t, lang } = useI18n()
  const { goods, shipping, discount, total, advance, paid, due } = newOrderSums(values, areas, coupon)
  const lines = values.products.filter(({ product_id }) => product_id !== '')
  const row = (label: string, amount: Poisha) => (
    <div className="flex justify-between gap-4">
      <dt>{label}</dt>
      <dd>{formatTaka(amount, lang)}</dd>
    </div>
  )
  return (
    <aside aria-label={t('admin-orders.sums')} className="admin-card p-4">
      <h2 className="text-lg">{t('admin-orders.sums')}</h2>
      {lines.length === 0 ? (
        <p className="mt-2 text-sm text-stone">{t('admin-orders.no-lines')}</p>
      ) : (
        <ul className="tabular-nums mt-2 space-y-1 text-sm">
          {lines.map((line) => {
            const sum = lineSum(line)
            return (
              <li key={line.key} className="flex items-center gap-3">
                <ProductPicture url={line.picture_url} />
                <span className="min-w-0 grow wrap-anywhere">
                  {line.product_name}
                  {line.is_unique ? null : (
                    <span className="text-stone"> × {localizeDigits(lang, line.quantity) || formatNumber(0, lang)}</span>
                  )}
                  {line.note ? <span className="block text-stone">– {line.note}</span> : null}
                </span>
                <span className="whitespace-nowrap">{sum === null ? '—' : formatTaka(sum, lang)}</span>
              </li>
            )
          })}
        </ul>
      )}
      <dl className="tabular-nums mt-3 space-y-1 border-t border-line pt-2" aria-live="polite">
        {row(t('admin-orders.goods-sum'), goods)}
        {row(t('admin-orders.shipping'), shipping)}
        {discount > 0 ? row(discountLabel(t, coupon), -discount as Poisha) : null}
        <div className="flex justify-between gap-4 border-t border-line pt-1 text-lg font-semibold">
          <dt>{t('admin-orders.total')}</dt>
          <dd>{formatTaka(total, lang)}</dd>
        </div>
        {advance > 0 ? row(t('admin-orders.advance-wanted'), advance) : null}
        {paid > 0 ? row(t('admin-orders.paid'), paid) : null}
        <div className="flex justify-between gap-4 font-semibold">
          <dt>{t('admin-orders.due')}</dt>
          <dd data-new-due>{formatTaka(due, lang)}</dd>
        </div>
      </dl>
    </aside>
  )
}
