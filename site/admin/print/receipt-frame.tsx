import type { ReactNode } from 'react'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import type { ShownLogo } from '#features/settings/logo-rules.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { shownName } from '#lib/format/shown-name.ts'
import { formatFullDateTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { ReceiptRoll } from './receipt-roll.tsx'

interface ReceiptFrameProps {
  heading: string
  at: Date
  name: string
  phone: string
  /** Printed once more. */
  isCopy?: boolean | undefined
  /** Whether the shop's address and phone stand below its name. */
  hasAddress?: boolean
  /** Further lines of the header. */
  header?: ReactNode
  children: ReactNode
}

/** The frame of every receipt: the roll with shop, number, time and customer. */
export function ReceiptFrame({ heading, at, name, phone, isCopy = false, hasAddress = false, header, children }: ReceiptFrameProps) {
  const { t, lang } = useI18n()
  const { shop } = usePageContext()
  return (
    <ReceiptRoll>
      <header className="text-center">
        {shop.logo ? <ReceiptLogo {...shop.logo} /> : null}
        {shop.logo?.isWide ? null : <p className="text-lg leading-tight font-semibold">{shop.name}</p>}
        {hasAddress ? <p>{[shop.address, localizeDigits(lang, shop.phone)].filter(Boolean).join(' · ')}</p> : null}
        <h1 className="mt-1 font-semibold">{heading}</h1>
        {isCopy ? <p className="mx-auto my-1 w-fit border border-black px-2 font-semibold">{t('print.copy')}</p> : null}
        <p>{formatFullDateTime(at, lang)}</p>
        <p>{[shownName(name, lang), localizeDigits(lang, phone)].filter(Boolean).join(' · ')}</p>
        {header}
      </header>
      {children}
    </ReceiptRoll>
  )
}

/** Its place has its size before the file is loaded, so that the page's length is right. */
function ReceiptLogo({ src, ratio, isWide }: ShownLogo) {
  const { shop } = usePageContext()
  const height = 48
  return (
    <img
      src={src}
      alt={isWide ? shop.name : ''}
      width={height * ratio}
      height={height}
      style={{ height }}
      className="mx-auto mb-1 object-contain"
    />
  )
}

/** A sum of a receipt, in taka; null for a label alone. `isStrong`: a total, below a line. */
export function ReceiptSum({ label, amount, isStrong = false }: { label: string; amount: number | null; isStrong?: boolean }) {
  const { lang } = useI18n()
  return (
    <div className={`flex justify-between gap-2 ${isStrong ? 'mt-1 border-t border-black pt-1 text-lg font-semibold' : ''}`}>
      <dt className={isStrong ? '' : 'font-normal'}>{label}</dt>
      <dd>{amount === null ? null : money(amount, lang)}</dd>
    </div>
  )
}
