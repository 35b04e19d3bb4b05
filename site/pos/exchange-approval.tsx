import { formatTaka } from '#lib/format/money.ts'
import { formatQuantity, localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { SupervisorDialog } from './supervisor-dialog.tsx'
import type { PendingReturn } from './use-submit-exchange.ts'

interface ExchangeApprovalProps extends PendingReturn {
  onClose: () => void
}

/** A supervisor approves the return of an exchange beyond the cashier's limit. */
export function ExchangeApproval({ text, exchange: { orderId, lines, refund }, approve, onClose }: ExchangeApprovalProps) {
  const { t, lang } = useI18n()
  return (
    <SupervisorDialog action={t('pos.exchange.do')} onClose={onClose} onApprove={approve}>
      <p className="mt-2">{text}</p>
      <ul className="mt-2 list-disc space-y-1 ps-5">
        {lines.map(({ productId, name, quantityMilli, unit, spoiled }) => (
          <li key={productId} className="wrap-anywhere">
            {name}: {formatQuantity(quantityMilli, unit, lang)}, {t(spoiled ? 'pos.return.spoiled' : 'pos.return.stock')}
          </li>
        ))}
      </ul>
      <p className="mt-3 border-t border-line pt-2 font-semibold">
        {t('pos.return.of', { amount: formatTaka(refund, lang), id: localizeDigits(lang, String(orderId)) })}
      </p>
    </SupervisorDialog>
  )
}
