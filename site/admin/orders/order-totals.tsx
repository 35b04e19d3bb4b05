import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import type { AreaJson } from '#features/catalog/types.ts'
import { formatTaka, poisha, type Poisha, takaToPoisha } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { FormRow, FormSection, FormTaka } from '../ui/form.tsx'
import type { AdminFormState } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { editedDiscount } from './edited-discount.ts'
import { followingShipping, type OrderValues, raisedShipping, typedSums } from './order-values.ts'

interface OrderSumsProps {
  form: AdminFormState<OrderValues>
  areas: AreaJson[]
  order: AdminOrder
}

/** Delivery charge, discount and total of an order. */
export function OrderSums({ form, areas, order }: OrderSumsProps) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const saved = takaToPoisha(order.shipping_cost)
  const { goods, shipping, discount, total } = typedSums({ ...form.values, discount: editedDiscount(form.values, order) }, saved)
  const hint = useShippingHint(form.values, areas, order)
  const row = (label: string, amount: Poisha, before: Poisha | null = null) => (
    <div className="flex justify-between gap-4">
      <dt>{label}</dt>
      <dd>
        {before === null || before === amount ? null : <s className="me-2 text-stone">{formatTaka(before, lang)}</s>}
        {formatTaka(amount, lang)}
      </dd>
    </div>
  )
  return (
    <FormSection title={t('admin-orders.sums')}>
      <FormRow>
        <FormTaka name="shipping_cost" label={t('admin-orders.shipping')} disabled={form.values.is_collection} />
        <FormTaka
          name="discount"
          label={t('admin-orders.discount')}
          hint={can('orders.price') ? undefined : t('admin-orders.discount-not-yours')}
          isOptional
          disabled={!can('orders.price')}
        />
      </FormRow>
      <p role="status" className="text-sm text-stone empty:hidden">
        {hint}
      </p>
      <dl className="tabular-nums max-w-xs space-y-1" aria-live="polite">
        {row(t('admin-orders.goods-sum'), goods)}
        {row(t('admin-orders.shipping'), shipping, saved)}
        {discount > 0
          ? row(t('admin-orders.discount'), poisha(-discount), order.discount > 0 ? poisha(-takaToPoisha(order.discount)) : null)
          : null}
        <div className="flex justify-between gap-4 border-t border-line pt-1 text-lg font-semibold">
          <dt>{t('admin-orders.total')}</dt>
          <dd>{formatTaka(total, lang)}</dd>
        </div>
      </dl>
    </FormSection>
  )
}

/** The old charge when it changes, and the usual one when added products have a higher one. */
function useShippingHint(values: OrderValues, areas: AreaJson[], order: AdminOrder): string | null {
  const { t, lang } = useI18n()
  if (values.is_collection) return t('admin-orders.collects-hint')
  const before = takaToPoisha(order.shipping_cost)
  const old = formatTaka(before, lang)
  const following = followingShipping(values, order, areas)
  const raised = raisedShipping(values, order, areas)
  const isMoved = values.area_id !== '' && values.area_id !== String(order.area_id)
  const hints = [
    following === null || following === before
      ? null
      : t(`admin-orders.shipping-${isMoved ? 'moved' : following > before ? 'split' : 'joined'}`, {
          old,
          charge: formatTaka(following, lang),
        }),
    raised === null ? null : t('admin-orders.shipping-raised', { charge: formatTaka(raised, lang) }),
    values.shipping_cost.trim() === '' ? t('admin-orders.shipping-unchanged', { old }) : null,
  ]
  return hints.filter(Boolean).join(' ') || null
}
