import type { AccountPaymentReceipt } from '#features/pos/account/receive-payment.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { ReceiptFrame, ReceiptSum } from './receipt-frame.tsx'
import { ReceiptPreview } from './receipt-preview.tsx'

export interface Props {
  receipt: AccountPaymentReceipt
  /** It was printed when the payment was received. */
  isCopy: boolean
  printsImmediately: boolean
  /** Cash was just received. */
  opensDrawer: boolean
}

/** Print view of a payment on account. */
export function Page({ receipt, isCopy, printsImmediately, opensDrawer }: Props) {
  const { t } = useI18n()
  const { can } = usePermissions()
  const back = can('pos.sell') ? { href: '/admin/quick-orders', label: t('pos.back') } : null
  return (
    <ReceiptPreview printsImmediately={printsImmediately} back={back} opensDrawer={opensDrawer}>
      <AccountReceipt receipt={receipt} isCopy={isCopy} />
    </ReceiptPreview>
  )
}

/** The receipt of a payment on account: the money, the orders that it pays, and what the customer owes afterwards. */
export function AccountReceipt({ receipt, isCopy }: Pick<Props, 'receipt' | 'isCopy'>) {
  const { t, lang } = useI18n()
  const number = (id: number) => localizeDigits(lang, String(id))
  return (
    <ReceiptFrame
      heading={t('pos.account.receipt', { id: number(receipt.id) })}
      at={new Date(receipt.at)}
      name={receipt.name}
      phone={receipt.phone}
      isCopy={isCopy}
      header={<p>{t('print.cashier', { name: receipt.cashier })}</p>}
    >
      <dl className="tabular-nums mt-2 border-t border-dashed border-black pt-2">
        {receipt.orders.map((order) => (
          <ReceiptSum key={order.id} label={t('pos.account.for-order', { id: number(order.id) })} amount={order.amount} />
        ))}
        {receipt.rounding === 0 ? null : <ReceiptSum label={t('ledger.rounding')} amount={receipt.rounding} />}
        <ReceiptSum label={t('summary.total')} amount={receipt.amount} isStrong />
        <ReceiptSum label={t(`pos.${receipt.method}`)} amount={receipt.amount + receipt.change} />
        {receipt.change > 0 ? <ReceiptSum label={t('pos.change')} amount={receipt.change} /> : null}
        <ReceiptSum label={t('pos.account.balance')} amount={receipt.balance} isStrong />
      </dl>
      {receipt.reference ? <p className="break-all">{t('invoice.reference', { reference: receipt.reference })}</p> : null}
      <p className="mt-3 text-center font-semibold">{t('print.thanks')}</p>
    </ReceiptFrame>
  )
}
