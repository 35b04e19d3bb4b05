import { expectedText } from '#features/orders/expected-delivery-rules.ts'
import { dueLater, isAwaitingPayment } from '#features/orders/printing/invoice-rules.ts'
import { money } from '#features/orders/ui/invoice-amounts.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import type { NextStepsProps } from './next-steps.tsx'

/** Delivery, weighing, call, cash due. An unpaid order promises no delivery date. */
export function Steps({ order, weighingDays }: NextStepsProps) {
  const { t, lang } = useI18n()
  const { shop, sendsSms } = usePageContext()
  const expected = expectedText(order, lang)
  const later = dueLater(order)
  return (
    <section aria-labelledby="next-title" className="stitch rounded-card bg-milk p-4 text-leaf-800">
      <h2 id="next-title" className="text-lg">
        {t('invoice.next-title')}
      </h2>
      <ul className="mt-2 list-disc space-y-1.5 ps-5 text-ink">
        {expected !== null ? (
          <li>{t(order.is_collection ? 'invoice.next-collect' : 'invoice.next-day', { day: expected })}</li>
        ) : isAwaitingPayment(order) ? (
          <li>{t('invoice.next-unpaid')}</li>
        ) : null}
        {weighingDays === null ? null : (
          <li>{t('invoice.next-weighing', { days: localizeDigits(lang, String(weighingDays)), sms: sendsSms })}</li>
        )}
        <li>{t('invoice.next-call', { phone: localizeDigits(lang, order.phone), collects: order.is_collection })}</li>
        {later > 0 ? <li>{t(order.is_collection ? 'invoice.collect-due' : 'invoice.next-due', { amount: money(later, lang) })}</li> : null}
      </ul>
      {shop.phone ? (
        <p className="mt-3 text-ink">
          <a href={callLink(shop.phone)} className="font-semibold underline underline-offset-4">
            {t('invoice.questions', { phone: localizeDigits(lang, shop.phone) })}
          </a>
        </p>
      ) : null}
    </section>
  )
}
