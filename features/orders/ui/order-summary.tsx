import type { ReactNode } from 'react'
import type { Quote } from '#features/pricing/quote-rules.ts'
import { couponEffect } from '#features/pricing/refusal-text.ts'
import { formatTaka, poisha, type Poisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

interface OrderSummaryProps {
  quote: Quote
  /** Null until an area is chosen. The products' own delivery charges then apply. */
  areaName: string | null
  /** Shown after a payment option was chosen. */
  showPayable?: boolean
  /** Hides the coupon line, because a coupon box beside the summary shows it. */
  hasCouponBox?: boolean
  couponCode?: string | undefined
  children?: ReactNode
}

/** The totals of the order in the checkout. */
export function OrderSummary({ quote, areaName, showPayable = false, hasCouponBox = false, couponCode, children }: OrderSummaryProps) {
  const { t, lang } = useI18n()
  const count = quote.lines.length
  const later = poisha(quote.total - quote.payable)
  return (
    <section aria-labelledby="summary-title" className="rounded-card border border-line bg-milk p-4 sm:p-5">
      <h2 id="summary-title" className="flex items-baseline justify-between gap-3 text-lg">
        {t('summary.title')}
        <span className="text-sm font-normal text-stone">
          {t('cart.items', { count: localizeDigits(lang, String(count)), one: count === 1 })}
        </span>
      </h2>
      <dl className="tabular-nums mt-3 space-y-1.5">
        <Row label={t('summary.subtotal')} amount={quote.subtotal} />
        <DeliveryRow quote={quote} areaName={areaName} />
        {quote.couponDiscount > 0 ? (
          <Row label={t('summary.coupon')} note={couponCode} amount={poisha(-quote.discount)} good />
        ) : quote.discount > 0 ? (
          <Row label={t('summary.discount')} amount={poisha(-quote.discount)} good />
        ) : null}
        <div
          aria-live="polite"
          aria-atomic="true"
          className="flex items-baseline justify-between gap-4 border-t border-line pt-2.5 text-xl font-semibold"
        >
          <dt>{t('summary.total')}</dt>
          <dd>{formatTaka(quote.total, lang)}</dd>
        </div>
        {showPayable ? (
          <>
            <Row label={t('summary.pay-now')} amount={quote.payable} strong />
            {later > 0 ? <Row label={t('summary.later')} amount={later} /> : null}
          </>
        ) : null}
      </dl>
      {quote.couponDiscount > 0 && quote.productDiscount > 0 ? <p className="mt-2 text-sm">{t('summary.coupon-replaces')}</p> : null}
      {!hasCouponBox && quote.coupon !== null && couponEffect(quote) !== 'coupon.applied' ? (
        <p className="mt-2 text-sm">{t(couponEffect(quote))}</p>
      ) : null}
      {children}
    </section>
  )
}

/** An own charge of zero says nothing before the area is known, whose charge may be added. */
function DeliveryRow({ quote: { isCollection, delivery, deliverySaved }, areaName }: Pick<OrderSummaryProps, 'quote' | 'areaName'>) {
  const { t } = useI18n()
  const isKnown = isCollection || areaName !== null
  const beforeArea = t('summary.delivery-before-area')
  const note = isCollection ? t('summary.collection') : areaName === null ? beforeArea : t('summary.delivery-in', { area: areaName })
  return (
    <Row
      label={t('summary.delivery')}
      note={note}
      amount={delivery}
      before={deliverySaved > 0 ? poisha(delivery + deliverySaved) : null}
      free={isKnown || deliverySaved > 0 ? t('summary.free') : '—'}
    />
  )
}

function Row({
  label,
  note,
  amount,
  before = null,
  free,
  good = false,
  strong = false,
}: {
  label: string
  note?: string | undefined
  amount: Poisha
  /** The previous, higher amount. */
  before?: Poisha | null
  /** Shown for zero. */
  free?: string
  good?: boolean
  strong?: boolean
}) {
  const { lang } = useI18n()
  return (
    <div className={`flex items-baseline justify-between gap-4 ${strong ? 'font-semibold' : ''} ${good ? 'text-leaf-600' : ''}`}>
      <dt>
        {label} {note ? <span className="text-sm font-normal text-stone">({note})</span> : null}
      </dt>
      <dd className="whitespace-nowrap">
        {before === null ? null : <s className="me-0.5 text-sm text-stone">{formatTaka(before, lang)}</s>}{' '}
        {amount === 0 && free ? free : formatTaka(amount, lang)}
      </dd>
    </div>
  )
}
