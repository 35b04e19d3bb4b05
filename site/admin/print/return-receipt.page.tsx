import './receipt.css'
import { useRef } from 'react'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import type { ReturnReceipt } from '#features/pos/return-receipts.server.ts'
import { localizeDigits, formatQuantity } from '#lib/format/numbers.ts'
import { formatFullDateTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { usePageAsLongAs } from './page-length.ts'
import { PrintPreview } from './print-preview.tsx'

export interface Props {
  paper: ReturnReceipt
  printsImmediately: boolean
}

/** Print view of a return receipt: products, refund, reason, signature line. */
export function Page({ paper, printsImmediately }: Props) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  const { can } = usePermissions()
  const slip = useRef<HTMLElement>(null)
  usePageAsLongAs(slip)
  const number = (id: number) => localizeDigits(lang, String(id))
  return (
    <PrintPreview
      printsImmediately={printsImmediately}
      back={can('pos.sell') ? { href: '/admin/quick-orders', label: t('pos.back') } : null}
    >
      <article ref={slip} data-slip className="mx-auto my-6 bg-white p-[4mm] shadow-soft print:m-0 print:shadow-none">
        <header className="text-center">
          <p className="text-lg leading-tight font-semibold">{shop.name}</p>
          <h1 className="mt-1 font-semibold">
            {paper.order_id === null
              ? t('pos.receiptless.slip', { id: number(paper.id) })
              : t('pos.return.slip', { id: number(paper.id), order: number(paper.order_id) })}
          </h1>
          <p>{formatFullDateTime(new Date(paper.at), lang)}</p>
          <p>{[paper.name, localizeDigits(lang, paper.phone)].filter(Boolean).join(' · ')}</p>
        </header>
        <ul className="my-2 space-y-1 border-y border-dashed border-black py-2">
          {paper.lines.map((line) => (
            <li key={line.product_id}>
              <span className="block break-words">{[line.name, line.tag_number].filter(Boolean).join(' · ')}</span>
              <span className="tabular-nums flex justify-between gap-2">
                <span>
                  {formatQuantity(Math.round(line.quantity * 1000), line.unit, lang)}
                  {line.spoiled ? ` · ${t('pos.return.spoiled')}` : ''}
                </span>
                <span>{money(line.goods, lang)}</span>
              </span>
            </li>
          ))}
        </ul>
        <dl className="tabular-nums">
          <div className="flex justify-between gap-2 text-lg font-semibold">
            <dt>{t('pos.return.refund')}</dt>
            <dd>{money(paper.refund, lang)}</dd>
          </div>
          {paper.rounding === 0 ? null : (
            <div className="flex justify-between gap-2">
              <dt className="font-normal">{t('ledger.rounding')}</dt>
              <dd>{money(paper.rounding, lang)}</dd>
            </div>
          )}
          {paper.money.map(({ method, amount }) => (
            <div key={method} className="flex justify-between gap-2">
              <dt className="font-normal">{t(`pos.${method}`)}</dt>
              <dd>{money(amount, lang)}</dd>
            </div>
          ))}
          {paper.store_credit_balance === null ? null : (
            <div className="flex justify-between gap-2 font-semibold">
              <dt>{t('pos.credit.balance')}</dt>
              <dd>{money(paper.store_credit_balance, lang)}</dd>
            </div>
          )}
        </dl>
        {paper.exchange_order_id === null ? null : <p className="mt-1">{t('pos.exchange.for', { id: number(paper.exchange_order_id) })}</p>}
        <p className="mt-1">
          {t('pos.reason')}: {paper.reason}
        </p>
        <p className="mt-1">{t('pos.return.by', { name: paper.cashier })}</p>
        {paper.approved_by ? <p>{t('pos.return.approved-by', { name: paper.approved_by })}</p> : null}
        <p className="mt-[12mm] border-t border-black pt-1 text-center">{t('pos.return.sign')}</p>
      </article>
    </PrintPreview>
  )
}
