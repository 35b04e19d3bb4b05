import { unpayable } from '#features/orders/checkout/checkout-rules.ts'
import { callLink } from '#lib/format/contact-links.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import type { Checkout } from './use-checkout.ts'

/** Says before the details are typed that no payment method takes this cart, why, and what to do. */
export function UnpayableNote({ checkout: { options } }: { checkout: Pick<Checkout, 'options'> }) {
  const { t, lang } = useI18n()
  const { phone } = usePageContext().shop
  const problem = unpayable(options)
  if (problem === null) return null
  return (
    <div role="alert" className="rounded-card bg-tag-100 px-4 py-3">
      <p className="font-semibold">{t('payment.none')}</p>
      <p>{t(problem)}</p>
      {phone ? (
        <a href={callLink(phone)} className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4">
          {t('payment.call', { phone: localizeDigits(lang, phone) })}
        </a>
      ) : null}
    </div>
  )
}
