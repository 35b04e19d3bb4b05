import type { PaymentMark } from '#features/payments/payment-marks.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'

/** The marks of the methods that the shop takes. The checkout copies them from its footer to the payment choice. */
export function PaymentMarks() {
  const { t } = useI18n()
  const marks = usePageContext().payments as readonly PaymentMark[]
  if (marks.length === 0) return null
  return (
    <ul aria-label={t('payment.marks')} className="flex flex-wrap gap-1.5">
      {marks.map((mark) => (
        <li key={mark}>
          <img src={`/pay/${mark}.svg`} alt={t(`payment.mark.${mark}`)} width={52} height={26} loading="lazy" decoding="async" />
        </li>
      ))}
    </ul>
  )
}
