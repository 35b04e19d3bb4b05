import { isInCategory } from '#features/catalog/category-keys.ts'
import type { AdvanceAccounts } from '#features/orders/advances/account-rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import type { Checkout } from './use-checkout.ts'

type Booking = Pick<Checkout, 'lines' | 'quote' | 'options' | 'option' | 'shop'>

/** Explains how an advance books a Kurbani cow, where it is offered and no other payment is chosen; null for a cart without one. */
export function BookingBanner({ checkout: { lines, quote, options, option, shop } }: { checkout: Booking }) {
  const { t, lang } = useI18n()
  const { shop: contact, sendsSms } = usePageContext()
  const cows = lines.flatMap(({ item, gone }) => (!gone && isInCategory(item, 'kurbani') ? [item] : []))
  const explained = option ?? options.find(({ choice }) => choice === 'advance')
  if (cows.length === 0 || explained?.choice !== 'advance') return null
  const tags = cows.flatMap((cow) => cow.tagNumber ?? []).join(', ')
  const phone = contact.phone || contact.whatsapp
  return (
    <section aria-labelledby="booking-title" className="overflow-hidden rounded-card bg-leaf-800 text-paper">
      <div className="border-b-2 border-dashed border-paper/40 px-4 py-3 sm:px-6">
        <h2 id="booking-title" className="text-lg">
          {t('booking.title')}
        </h2>
      </div>
      <div className="space-y-3 px-4 py-4 sm:px-6">
        <ol className={`${lang === 'bn' ? 'list-[bengali]' : 'list-decimal'} space-y-1.5 ps-5 marker:font-semibold marker:text-tag`}>
          <li>{t('booking.pay', { amount: formatTaka(quote.partial.minimum, lang) })}</li>
          {tags ? <li>{t('booking.tag', { tags })}</li> : null}
          {phone ? <li>{t('booking.confirm', { phone: localizeDigits(lang, phone) })}</li> : null}
          {sendsSms ? <li>{t('booking.sms')}</li> : null}
        </ol>
        <PayToLines payTo={shop.payTo} />
      </div>
    </section>
  )
}

function PayToLines({ payTo }: { payTo: AdvanceAccounts }) {
  const { t } = useI18n()
  const { bank, bkash, nagad } = payTo
  const rows: [string, string][] = [
    [t('booking.bank'), bank.accountNumber ? [bank.bank, bank.branch].filter(Boolean).join(', ') : ''],
    [t('booking.account'), bank.accountNumber ? `${bank.accountName} · ${bank.accountNumber}` : ''],
    [t('booking.bkash'), bkash],
    [t('booking.nagad'), nagad],
  ]
  return (
    <dl className="tabular-nums grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-tag bg-paper/10 px-3.5 py-2.5">
      {rows
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="font-normal text-paper/85">{label}</dt>
            <dd className="font-semibold break-words">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
