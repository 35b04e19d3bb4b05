import { useEffect } from 'react'
import type { PlacingOutcome } from '#features/orders/checkout/order-request-rules.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

/** Shown while the payment page or the confirmation loads. */
export function PlacedOrder({ outcome }: { outcome: PlacingOutcome }) {
  const { t, lang } = useI18n()
  const orderId = outcome.kind === 'failed' ? null : outcome.orderId
  useEffect(() => void window.scrollTo(0, 0), [])
  return (
    <section className="mx-auto max-w-xl py-16 text-center">
      <h1 className="text-2xl">{t(outcome.kind === 'pay' ? 'place.redirecting' : 'place.success')}</h1>
      {outcome.kind === 'pay' ? (
        <p className="mt-4">
          <a href={outcome.url} className="font-semibold underline underline-offset-4">
            {t('place.redirecting-link')}
          </a>
        </p>
      ) : null}
      {orderId !== null ? (
        <p className="mt-4">
          <a href={`/invoice/${orderId}`} className="font-semibold underline underline-offset-4">
            {t('cart.last-order', { id: localizeDigits(lang, String(orderId)) })}
          </a>
        </p>
      ) : null}
    </section>
  )
}
