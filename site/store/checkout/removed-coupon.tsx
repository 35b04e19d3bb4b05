import { useI18n } from '#page/page-context.tsx'
import type { Checkout } from './use-checkout.ts'

/** Below the sums of steps 2 and 3: why the coupon no longer applies, or was not applied. The cart step has it at the coupon's field. */
export function RemovedCoupon({ checkout }: { checkout: Pick<Checkout, 'couponState'> }) {
  const { t } = useI18n()
  const { coupon, error, wasRemoved } = checkout.couponState
  // Beside an applied coupon the error is about another code.
  if (error === null || coupon !== null) return null
  return (
    <p role="alert" className="mt-3 rounded-card bg-tag-100 px-3 py-2">
      {wasRemoved ? <b>{t('coupon.removed')} </b> : null}
      {error}
    </p>
  )
}
