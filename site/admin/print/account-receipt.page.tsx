import './receipt.css'
import { useRef } from 'react'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import type { AccountPaymentReceipt } from '#features/pos/account/receive-payment.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatFullDateTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { usePageAsLongAs } from './page-length.ts'
import { PrintPreview } from './print-preview.tsx'

export interface Props {
  receipt: AccountPaymentReceipt
  printsImmediately: boolean
}

/** Print view of a payment on account: the money, the orders that it pays, and what the customer owes afterwards. */
export function Page({ receipt, printsImmediately }: Props) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  const { can } = usePermissions()
  const slip = useRef<HTMLElement>(null)
  usePageAsLongAs(slip)
  const number = (id: number) => localizeDigits(lang, String(id))
  const row = (label: string, amount: number, isStrong = false) => (
    <div className={`flex justify-between gap-2 ${isStrong ? 'mt-1 border-t border-black pt-1 text-lg font-semibold' : ''}`}>
      <dt className={isStrong ? '' : 'font-normal'}>{label}</dt>
      <dd>{money(amount, lang)}</dd>
    </div>
  )
  return (
    <PrintPreview
      printsImmediately={printsImmediately}
      back={can('pos.sell') ? { href: '/admin/quick-orders', label: t('pos.back') } : null}
    >
      <article ref={slip} data-slip className="mx-auto my-6 bg-white p-[4mm] shadow-soft print:m-0 print:shadow-none">
        <header className="text-center">
          <p className="text-lg leading-tight font-semibold">{shop.name}</p>
          <h1 className="mt-1 font-semibold">{t('pos.account.slip', { id: number(receipt.id) })}</h1>
          <p>{formatFullDateTime(new Date(receipt.at), lang)}</p>
          <p>{[receipt.name, localizeDigits(lang, receipt.phone)].filter(Boolean).join(' · ')}</p>
          <p>{t('paper.cashier', { name: receipt.cashier })}</p>
        </header>
        <dl className="tabular-nums mt-2 border-t border-dashed border-black pt-2">
          {receipt.orders.map((order) => (
            <div key={order.id}>{row(t('pos.account.for-order', { id: number(order.id) }), order.amount)}</div>
          ))}
          {row(t('summary.total'), receipt.amount, true)}
          {row(t(`pos.${receipt.method}`), receipt.amount + receipt.change)}
          {receipt.change > 0 ? row(t('pos.change'), receipt.change) : null}
          {row(t('pos.account.balance'), receipt.balance, true)}
        </dl>
        {receipt.reference ? <p className="break-all">{t('invoice.reference', { reference: receipt.reference })}</p> : null}
        <p className="mt-3 text-center font-semibold">{t('paper.thanks')}</p>
      </article>
    </PrintPreview>
  )
}
