import { money } from '#features/orders/ui/invoice-amounts.ts'
import type { ReturnReceipt } from '#features/pos/return-receipts.server.ts'
import { localizeDigits, formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { ReceiptFrame, ReceiptSum } from './receipt-frame.tsx'
import { ReceiptPreview } from './receipt-preview.tsx'

export interface Props {
  receipt: ReturnReceipt
  /** The return page has printed it before. */
  isCopy: boolean
  printsImmediately: boolean
}

/** Print view of a return receipt. */
export function Page({ receipt, isCopy, printsImmediately }: Props) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const back = can('pos.sell') ? { href: '/admin/quick-orders', label: t('pos.back') } : null
  return (
    <ReceiptPreview printsImmediately={printsImmediately} back={back}>
      <PrintableReturn receipt={receipt} isCopy={isCopy} />
    </ReceiptPreview>
  )
}

/** The receipt of a return: products, refund, reason, signature line. */
export function PrintableReturn({ receipt, isCopy }: Pick<Props, 'receipt' | 'isCopy'>) {
  const { t, lang } = useI18n()
  const number = (id: number) => localizeDigits(lang, String(id))
  const heading =
    receipt.order_id === null
      ? t('pos.receiptless.receipt', { id: number(receipt.id) })
      : t('pos.return.receipt', { id: number(receipt.id), order: number(receipt.order_id) })
  return (
    <ReceiptFrame heading={heading} at={new Date(receipt.at)} name={receipt.name} phone={receipt.phone} isCopy={isCopy}>
      <ul className="my-2 space-y-1 border-y border-dashed border-black py-2">
        {receipt.lines.map((line) => (
          <li key={line.product_id}>
            <span className="block break-words">{[line.name, line.tag_number].filter(Boolean).join(' · ')}</span>
            <span className="tabular-nums flex justify-between gap-2">
              <span>
                {formatQuantity(toMilli(line.quantity), line.unit, lang)}
                {line.spoiled ? ` · ${t('pos.return.spoiled')}` : ''}
              </span>
              <span>{money(line.goods, lang)}</span>
            </span>
          </li>
        ))}
      </ul>
      <dl className="tabular-nums">
        <ReceiptSum label={t('pos.return.refund')} amount={receipt.refund} isStrong />
        {receipt.rounding === 0 ? null : <ReceiptSum label={t('ledger.rounding')} amount={receipt.rounding} />}
        {receipt.money.map(({ method, amount }) => (
          <ReceiptSum key={method} label={t(`pos.${method}`)} amount={amount} />
        ))}
        {receipt.store_credit_balance === null ? null : (
          <ReceiptSum label={t('pos.credit.balance')} amount={receipt.store_credit_balance} isStrong />
        )}
      </dl>
      {receipt.exchange_order_id === null ? null : (
        <p className="mt-1">{t('pos.exchange.for', { id: number(receipt.exchange_order_id) })}</p>
      )}
      <p className="mt-1">
        {t('pos.reason')}: {receipt.reason}
      </p>
      <p className="mt-1">{t('pos.return.by', { name: receipt.cashier })}</p>
      {receipt.approved_by ? <p>{t('pos.return.approved-by', { name: receipt.approved_by })}</p> : null}
      <p className="mt-[12mm] border-t border-black pt-1 text-center">{t('pos.return.sign')}</p>
    </ReceiptFrame>
  )
}
