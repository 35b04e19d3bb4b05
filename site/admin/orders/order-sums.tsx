import type { AreaWithCharges } from '#features/orders/checkout-rules.ts'
import { chargesOf } from '#features/orders/checkout-rules.ts'
import { deliveryCharge } from '#features/pricing/rules.ts'
import { formatTaka, type Poisha, ZERO } from '#lib/money.ts'
import { useI18n } from '#site/app-root.tsx'
import { FormNumber, FormRow, FormSection } from '../ui/form.tsx'
import type { OfficeFormState } from '../ui/use-form.ts'
import { useRights } from '../ui/use-rights.ts'
import { type OrderValues, typedSums } from './order-values.ts'

/** Charges and discount, and what the order comes to. */
export function OrderSums({ form, areas }: { form: OfficeFormState<OrderValues>; areas: AreaWithCharges[] }) {
  const { t, lang } = useI18n()
  const { can } = useRights()
  const usual = usualShipping(form.values, areas)
  const { goods, shipping, discount, total } = typedSums(form.values, usual)
  const row = (label: string, amount: Poisha) => (
    <div className="flex justify-between gap-4">
      <dt>{label}</dt>
      <dd>{formatTaka(amount, lang)}</dd>
    </div>
  )
  return (
    <FormSection title={t('office-orders.sums')}>
      <FormRow>
        <FormNumber
          name="shipping_cost"
          label={t('office-orders.shipping')}
          {...(usual > 0 ? { hint: t('office-orders.shipping-hint', { charge: formatTaka(usual, lang) }) } : {})}
        />
        <FormNumber name="discount" label={t('office-orders.discount')} isOptional disabled={!can('orders.price')} />
      </FormRow>
      <dl className="figures max-w-xs space-y-1" aria-live="polite">
        {row(t('office-orders.goods-sum'), goods)}
        {row(t('office-orders.shipping'), shipping)}
        {discount > 0 ? row(t('office-orders.discount'), -discount as Poisha) : null}
        <div className="flex justify-between gap-4 border-t border-line pt-1 text-lg font-semibold">
          <dt>{t('office-orders.total')}</dt>
          <dd>{formatTaka(total, lang)}</dd>
        </div>
      </dl>
    </FormSection>
  )
}

/** What delivery of these goods to the area costs by the shop's own rule; zero while it is not known. */
function usualShipping(values: OrderValues, areas: AreaWithCharges[]): Poisha {
  const items = values.products.flatMap(({ shipping }) =>
    shipping ? [{ deliveryGroup: shipping.group, shipping: Math.round(shipping.charge * 100) as Poisha }] : [],
  )
  const charge = deliveryCharge(items, chargesOf(areas.find(({ id }) => String(id) === values.area_id) ?? null))
  return items.length > 0 && charge.ok ? charge.value : ZERO
}
