import type { AreaWithCharges } from '#features/orders/checkout/checkout-rules.ts'
import { formatTaka, type Poisha, ZERO } from '#lib/format/money.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { areaShipping, lineSum, type OrderValues, typedAdvance, typedSums } from './order-values.ts'

/** Summary beside the form of a new order: items, delivery, total and required advance. */
export function OrderSummary({ values, areas }: { values: OrderValues; areas: readonly AreaWithCharges[] }) {
  const { t, lang } = useI18n()
  const { goods, shipping, discount, total } = typedSums(values, areaShipping(values, areas) ?? ZERO)
  const lines = values.products.filter(({ product_id }) => product_id !== '')
  const advance = typedAdvance(values.products)
  const row = (label: string, amount: Poisha) => (
    <div className="flex justify-between gap-4">
      <dt>{label}</dt>
      <dd>{formatTaka(amount, lang)}</dd>
    </div>
  )
  return (
    <aside aria-label={t('admin-orders.sums')} className="admin-card sticky top-4 hidden p-4 xl:block">
      <h2 className="text-lg">{t('admin-orders.sums')}</h2>
      {lines.length === 0 ? (
        <p className="mt-2 text-sm text-stone">{t('admin-orders.no-lines')}</p>
      ) : (
        <ul className="tabular-nums mt-2 space-y-1 text-sm">
          {lines.map((line) => {
            const sum = lineSum(line)
            return (
              <li key={line.key} className="flex justify-between gap-4">
                <span className="min-w-0 wrap-anywhere">
                  {line.product_name}
                  {line.is_unique ? null : <span className="text-stone"> × {line.quantity || formatNumber(0, lang)}</span>}
                  {line.note ? <span className="block text-stone">– {line.note}</span> : null}
                </span>
                <span className="whitespace-nowrap">{sum === null ? '—' : formatTaka(sum, lang)}</span>
              </li>
            )
          })}
        </ul>
      )}
      <dl className="tabular-nums mt-3 space-y-1 border-t border-line pt-2">
        {row(t('admin-orders.goods-sum'), goods)}
        {row(t('admin-orders.shipping'), shipping)}
        {discount > 0 ? row(t('admin-orders.discount'), -discount as Poisha) : null}
        <div className="flex justify-between gap-4 border-t border-line pt-1 text-lg font-semibold">
          <dt>{t('admin-orders.total')}</dt>
          <dd>{formatTaka(total, lang)}</dd>
        </div>
        {advance > 0 ? row(t('admin-orders.advance-wanted'), advance) : null}
      </dl>
    </aside>
  )
}
