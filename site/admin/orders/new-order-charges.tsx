import { type KeyboardEvent } from 'react'
import { Button } from '#components/button.tsx'
import { ADMIN_METHODS } from '#features/orders/payments/ledger-rules.ts'
import type { AreaJson } from '#features/catalog/types.ts'
import { formatTaka, sum } from '#lib/format/money.ts'
import { MAX_REFERENCE_LENGTH, MAX_TYPED_COUPON_LENGTH } from '#lib/format/input-limits.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FormCheckbox, FormRow, FormSection, FormSelect, FormTaka, FormText } from '../ui/form.tsx'
import type { AdminFormState } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { areaShipping, type NewOrderValues } from './order-values.ts'
import type { CouponState } from './use-order-coupon.ts'
import { methodName } from '../payments/method-name.ts'

interface NewOrderChargesProps {
  form: AdminFormState<NewOrderValues>
  areas: readonly AreaJson[]
  coupon: CouponState
}

/** Delivery charge, discount and coupon of a new order. */
export function NewOrderCharges({ form, areas, coupon }: NewOrderChargesProps) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const { values } = form
  const usual = areaShipping(values, areas)
  const mayPrice = can('orders.price')
  // A draft of a manager: the clerk who opens it can clear its discount.
  const isOfManager = !mayPrice && values.discount.trim() !== ''
  const { priced } = coupon
  const totalError = form.errorOf('shown_total')
  const apply = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    coupon.apply()
  }
  return (
    <FormSection title={t('admin-orders.charges')}>
      {totalError ? (
        <p className="font-semibold text-terracotta" aria-invalid tabIndex={-1}>
          {totalError}
        </p>
      ) : null}
      <FormRow>
        <FormTaka
          name="shipping_cost"
          label={t('admin-orders.shipping')}
          isOptional
          disabled={values.is_collection}
          hint={usual === null || values.is_collection ? undefined : t('admin-orders.shipping-hint', { charge: formatTaka(usual, lang) })}
        />
        <FormTaka
          name="discount"
          label={t('admin-orders.discount')}
          hint={mayPrice ? undefined : t(isOfManager ? 'admin-orders.discount-of-manager' : 'admin-orders.discount-not-yours')}
          isOptional
          disabled={(!mayPrice && !isOfManager) || values.coupon.trim() !== ''}
        />
      </FormRow>
      <div className="flex flex-wrap items-start gap-2">
        <div className="grow basis-48">
          <FormText
            name="coupon"
            label={t('pos.coupon')}
            isOptional
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={MAX_TYPED_COUPON_LENGTH}
            hint={
              coupon.rejection ??
              (priced
                ? t('admin-orders.coupon-saves', { amount: formatTaka(sum([priced.discount, priced.deliverySaved]), lang) })
                : undefined)
            }
            onKeyDown={apply}
          />
        </div>
        {values.coupon.trim() === '' ? null : (
          <Button kind="secondary" className="field-level" busy={coupon.isBusy} onClick={coupon.apply}>
            {t('coupon.apply')}
          </Button>
        )}
      </div>
    </FormSection>
  )
}

interface NewOrderPaymentProps {
  form: AdminFormState<NewOrderValues>
  /** Cash may go into the drawer of the own open shift. */
  hasDrawer: boolean
}

/** Money that the customer has paid already; it is recorded with the order. */
export function NewOrderPayment({ form, hasDrawer }: NewOrderPaymentProps) {
  const { t } = useI18n()
  const { sendsSms } = usePageContext()
  const { can } = usePermissions()
  if (!can('payments.write')) return null
  const { advance_method: method, advance_amount: amount } = form.values
  return (
    <FormSection title={t('admin-orders.advance')}>
      <FormRow>
        <FormTaka
          name="advance_amount"
          label={t('admin-orders.amount')}
          isOptional
          hint={t('admin-orders.advance-hint', { sms: sendsSms })}
        />
        <FormSelect
          name="advance_method"
          label={t('admin-orders.method')}
          options={ADMIN_METHODS.map((one) => [one, methodName(t, one)])}
        />
      </FormRow>
      {hasDrawer && method === 'cash' && amount.trim() !== '' ? (
        <FormCheckbox name="advance_drawer" label={t('admin-orders.into-drawer')} />
      ) : null}
      {method === 'cash' ? null : (
        <FormText
          name="advance_transaction"
          label={t('admin-orders.transaction')}
          className="tabular-nums"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={MAX_REFERENCE_LENGTH}
        />
      )}
    </FormSection>
  )
}
