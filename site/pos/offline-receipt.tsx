import { useI18n } from '#page/page-context.tsx'
import { useMethodName } from '#features/orders/ui/invoice-totals.tsx'
import { readPosQuantity, posLineTotal } from '#features/pos/rules.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import { PrintPreview } from '../admin/print/print-preview.tsx'
import { PrintableReceipt } from '../admin/print/printable-receipt.tsx'
import { shortNumber, type QueuedSale } from './device/outbox-rules.ts'
import { useReceiptPrinter } from './hardware/use-printer.ts'
import type { Sale } from './sale.ts'
import type { QueuedReason } from './submit-rules.ts'

/** The receipt of a sale that is not sent yet, with its short number. */
export function OfflineReceipt({
  queued,
  sale,
  reason,
  onBack,
}: {
  queued: QueuedSale
  sale: Sale
  reason: QueuedReason
  onBack: () => void
}) {
  const { t } = useI18n()
  const printer = useReceiptPrinter()
  const sums = useReceiptSums(queued)
  const isCashSale = (queued.body as unknown as SentSums).transactions.cash > 0
  const lines = sale.lines.map((line) => ({
    id: line.id,
    name: line.name,
    quantity: (readPosQuantity(line.quantity) ?? 0) / 1000,
    unit: line.unit,
    price: poishaToTaka(line.price),
    total: poishaToTaka(posLineTotal(line)),
  }))
  return (
    <PrintPreview
      printsImmediately
      print={(isFirst) => void printer.print({ isCashSale: isFirst && isCashSale })}
      back={{ onBack, label: t('pos.back') }}
      note={[t(`pos.kept.${reason}`), printer.problem].filter(Boolean).join(' ')}
    >
      <PrintableReceipt
        heading={t('pos.slip-number', { number: shortNumber(queued.key) })}
        at={new Date(queued.soldAt)}
        name={sale.name}
        phone={sale.phone}
        lines={lines}
        sums={sums}
        spelled={queued.total}
        notice={t('pos.slip-not-sent')}
      >
        <p>{t('pos.slip-keep', { number: shortNumber(queued.key) })}</p>
      </PrintableReceipt>
    </PrintPreview>
  )
}

/** The sums of the request body, in taka. */
interface SentSums {
  sub_total: number
  shipping_cost: number
  discount: number
  total: number
  change_amount: number
  transactions: Record<'cash' | 'bkash' | 'bank', number>
}

function useReceiptSums({ body }: QueuedSale) {
  const { t } = useI18n()
  const methodName = useMethodName()
  const sums = body as unknown as SentSums
  const methods = (['cash', 'bkash', 'bank'] as const).filter((one) => sums.transactions[one] > 0)
  return [
    { label: t('summary.subtotal'), amount: sums.sub_total },
    ...(sums.shipping_cost > 0 ? [{ label: t('summary.delivery'), amount: sums.shipping_cost }] : []),
    ...(sums.discount > 0 ? [{ label: t('summary.discount'), amount: -sums.discount }] : []),
    { label: t('summary.total'), amount: sums.total, strong: true },
    ...methods.map((one) => ({ label: methodName(one), amount: sums.transactions[one] })),
    ...(sums.change_amount > 0 ? [{ label: t('pos.change'), amount: sums.change_amount }] : []),
  ]
}
