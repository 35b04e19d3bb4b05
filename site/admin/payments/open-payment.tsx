import { isEnded } from '#features/ledger/rules.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import type { OpenPayment } from '#features/payments/queries.server.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

/** Says that the customer may be paying online, so that staff ask before they take the same money another way. */
export function OpenPaymentNote({ payment, status }: { payment: OpenPayment | null; status: OrderStatus }) {
  const { t, lang } = useI18n()
  if (payment === null || isEnded(status)) return null
  const time = formatDateTime(new Date(payment.since), lang)
  return (
    <p className="mt-3 rounded-card bg-tag-100 px-3 py-2 text-sm">
      {t('payments.open', { gateway: t(`gateway.${payment.gateway}`), amount: money(payment.amount, lang), time })}
    </p>
  )
}
