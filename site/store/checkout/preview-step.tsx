import type { ReactNode } from 'react'
import { Button } from '#components/button.tsx'
import { localizeDigits, formatQuantity } from '#lib/format/numbers.ts'
import { quantityMilli } from '#features/cart/rules.ts'
import { normalizeDetails } from '#features/orders/checkout/details-rules.ts'
import { OrderSummary } from '#features/orders/ui/order-summary.tsx'
import { formatTaka } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { BookingBanner } from './booking-banner.tsx'
import { animalText, ChangedPrice, ReducedPrice } from './cart-line.tsx'
import { DeliveryChoice } from './delivery-choice.tsx'
import { type MissingStep, Missing } from './missing-step.tsx'
import { DeliveryNotice, WeighingNotice } from './notices.tsx'
import { PaymentChoice } from './payment-choice.tsx'
import { RemovedCoupon } from './removed-coupon.tsx'
import { TermsBox } from './terms-box.tsx'
import type { Checkout } from './use-checkout.ts'

interface PreviewStepProps {
  checkout: Checkout
  agreed: boolean
  onAgree: (agreed: boolean) => void
  /** Null when the order can be placed. */
  missing: MissingStep | null
  busy: boolean
  onPlace: () => void
}

/** Step 3: the whole order, the payment options, and placing the order. */
export function PreviewStep({ checkout, agreed, onAgree, missing, busy, onPlace }: PreviewStepProps) {
  const { t } = useI18n()
  const { lines, quote, area, shop, option, goBack } = checkout
  // Without any there is nothing to pay, but it is no free order.
  const hasProducts = quote.lines.length > 0
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[1fr_22rem] lg:gap-x-8">
      <div className="min-w-0 space-y-4">
        <Panel
          title={t('summary.title-items')}
          change={t('checkout.change')}
          changeLabel={t('checkout.change-cart')}
          onChange={() => goBack('cart')}
        >
          <PreviewLines checkout={checkout} />
        </Panel>
        {lines.map(({ item, change, reduction, gone }) =>
          gone || !(change || reduction) ? null : (
            <div key={item.productId}>
              {change ? <ChangedPrice change={change} item={item} named onAccept={() => checkout.acceptPrice(item.productId)} /> : null}
              {reduction ? <ReducedPrice reduction={reduction} item={item} named /> : null}
            </div>
          ),
        )}
        <Panel
          title={t(checkout.isCollection ? 'invoice.collect-at' : 'invoice.deliver-to')}
          change={t('checkout.change')}
          changeLabel={t('checkout.change-details')}
          onChange={() => goBack('details')}
        >
          <PreviewDetails checkout={checkout} />
        </Panel>
        {quote.split === null ? null : <DeliveryChoice checkout={checkout} />}
        <DeliveryNotice checkout={checkout} />
        {hasProducts ? <PaymentChoice checkout={checkout} /> : null}
        <BookingBanner checkout={checkout} />
        <WeighingNotice shop={shop} lines={lines} />
        <TermsBox agreed={agreed} onAgree={onAgree} />
        <Button kind="secondary" onClick={() => goBack('details')}>
          {t('checkout.back')}
        </Button>
      </div>
      <div className="lg:sticky lg:top-24">
        <OrderSummary
          quote={quote}
          couponCode={checkout.couponState.coupon?.code}
          areaName={area?.area_name ?? null}
          showPayable={hasProducts && option !== null && option.problem === null}
        >
          <RemovedCoupon checkout={checkout} />
          <div className="max-lg:hidden">
            <Missing missing={missing} />
          </div>
          <Button size="large" full className="mt-3 max-lg:hidden" disabled={missing !== null} busy={busy} onClick={onPlace}>
            {t(busy ? 'place.placing' : 'place.order')}
          </Button>
        </OrderSummary>
      </div>
    </div>
  )
}

function Panel({
  title,
  change,
  changeLabel,
  onChange,
  children,
}: {
  title: string
  change: string
  changeLabel: string
  onChange: () => void
  children: ReactNode
}) {
  return (
    <section className="rounded-card border border-line bg-milk p-4 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{title}</h2>
        <Button kind="quiet" className="-my-2 -me-2 underline" aria-label={changeLabel} onClick={onChange}>
          {change}
        </Button>
      </div>
      {children}
    </section>
  )
}

function PreviewLines({ checkout: { lines, quote } }: { checkout: Checkout }) {
  const { t, lang } = useI18n()
  return (
    <ul className="mt-2 divide-y divide-line">
      {lines.map(({ item, gone, weightKg }) => {
        const priced = quote.lines.find((line) => line.productId === item.productId)
        return (
          <li key={item.productId} className="flex items-baseline justify-between gap-4 py-2">
            <span className={`min-w-0 wrap-anywhere ${gone ? 'text-stone line-through' : ''}`}>
              {item.productName} {item.tagNumber ? <span className="ear-tag mx-1 -rotate-2 text-sm">{item.tagNumber}</span> : null}
              <span className="block text-sm text-stone">
                {item.isUnique ? animalText({ weightKg }, t, lang) : formatQuantity(quantityMilli(item), item.Unit, lang)}
                {priced && !item.isUnique ? ` × ${formatTaka(priced.unitPrice, lang)}` : ''}
              </span>
            </span>
            <span className="tabular-nums font-semibold whitespace-nowrap">
              {gone ? t('place.product-gone') : priced ? formatTaka(priced.total, lang) : ''}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function PreviewDetails({ checkout: { details: written, area, isCollection, shop } }: { checkout: Checkout }) {
  const { t, lang } = useI18n()
  const details = normalizeDetails(written)
  const placeOf = () =>
    isCollection ? (shop.collection?.address ?? '') : [details.address, details.landmark, area?.area_name].filter(Boolean).join(', ')
  const rows: ['details.name' | 'details.phone' | 'details.email' | 'details.address' | 'details.note', string][] = [
    ['details.name', details.name],
    [
      'details.phone',
      [details.phone, details.alternate_phone]
        .filter(Boolean)
        .map((phone) => localizeDigits(lang, phone))
        .join(', '),
    ],
    ['details.email', details.email],
    ['details.address', placeOf()],
    ['details.note', details.note],
  ]
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
      {rows
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="font-normal text-stone">{t(label)}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
    </dl>
  )
}
