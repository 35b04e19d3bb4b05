import type { ReactNode } from 'react'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import type { Unit } from '#features/catalog/types.ts'
import { amountInWords } from '#lib/format/amount-in-words.ts'
import { takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits, formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { ReceiptFrame, ReceiptSum } from './receipt-frame.tsx'

export interface PrintableReceiptProps {
  /** The order number. */
  heading: string
  at: Date
  name: string
  phone: string
  /** Where it is delivered or collected; empty for a sale over the counter. */
  address?: string
  isCollection?: boolean
  /** By whom and where it was sold; absent for orders that were not sold at the POS. */
  counter?: { cashier: string; shiftId: number | null; register: string } | undefined
  lines: { id: number; name: string; quantity: number; unit: Unit; price: number; total: number; note?: string | undefined }[]
  /** Label, taka (null for none), and whether it is bold. */
  sums: { label: string; amount: number | null; strong?: boolean }[]
  isCopy?: boolean | undefined
  /** The sum in words, in taka; null for none. */
  spelled: number | null
  /** Before everything: that it is no order yet. */
  notice?: ReactNode
  children: ReactNode
}

/** A receipt for a roll, as long as its content. */
export function PrintableReceipt(props: PrintableReceiptProps) {
  const { heading, at, name, phone, address, isCollection, counter, lines, sums, isCopy, spelled, notice, children } = props
  const { t, lang } = useI18n()
  const header = (
    <>
      {address ? (
        <p>
          {t(isCollection ? 'invoice.collect-at' : 'print.deliver-to')}: {address}
        </p>
      ) : null}
      {counter ? <Counter {...counter} /> : null}
      {notice ? <p className="mt-2 border border-black p-1 font-semibold">{notice}</p> : null}
    </>
  )
  return (
    <ReceiptFrame {...{ heading, at, name, phone, isCopy, header }} hasAddress>
      <ul className="my-2 space-y-1 border-y border-dashed border-black py-2">
        {lines.map((line) => (
          <li key={line.id}>
            <span className="block break-words">{line.name}</span>
            {line.note ? <span className="block ps-2 break-words">– {line.note}</span> : null}
            <span className="tabular-nums flex justify-between gap-2">
              <span>
                {formatQuantity(toMilli(line.quantity), line.unit, lang)} × {money(line.price, lang)}
              </span>
              <span>{money(line.total, lang)}</span>
            </span>
          </li>
        ))}
      </ul>
      <dl className="tabular-nums">
        {sums.map(({ label, amount, strong = false }, index) => (
          <ReceiptSum key={index} label={label} amount={amount} isStrong={strong} />
        ))}
      </dl>
      {spelled === null ? null : (
        <p className="mt-1">
          {t('print.in-words')}: {amountInWords(takaToPoisha(spelled), lang)}
        </p>
      )}
      <footer className="mt-3 flex flex-col items-center gap-1 text-center">
        {children}
        <p className="font-semibold">{t('print.thanks')}</p>
      </footer>
    </ReceiptFrame>
  )
}

/** The cashier, the shift and the register of a POS sale. */
function Counter({ cashier, shiftId, register }: NonNullable<PrintableReceiptProps['counter']>) {
  const { t, lang } = useI18n()
  const parts = [
    cashier && t('print.cashier', { name: cashier }),
    shiftId === null ? '' : t('pos.shift-title', { id: localizeDigits(lang, String(shiftId)) }),
    register && t('print.register', { name: localizeDigits(lang, register) }),
  ]
  return <p>{parts.filter(Boolean).join(' · ')}</p>
}
