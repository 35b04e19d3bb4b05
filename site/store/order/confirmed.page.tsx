import { useEffect, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { CheckIcon, TruckIcon } from '#components/icons.tsx'
import { expectedText } from '#features/orders/expected-delivery-rules.ts'
import { advanceState, advanceToSend, invoicePaymentState, payableNow } from '#features/orders/printing/invoice-rules.ts'
import { isToSend } from '#features/orders/rules.ts'
import type { OrderJson, PaymentChoicesJson } from '#features/orders/types.ts'
import type { AdvanceAccounts } from '#features/orders/advances/account-rules.ts'
import { AdvancePanel } from '#features/orders/ui/advance-form.tsx'
import { discountLabel, money } from '#features/orders/ui/invoice-amounts.ts'
import { localizeDigits, formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FREE_ORDER_KEY, readSession, writeSession } from '#page/session-notes.ts'
import { StoreLayout } from '../layout.tsx'
import { NextSteps } from './next-steps.tsx'
import { OtherPayments } from './other-payments.tsx'
import { useOrder } from './use-order.ts'

export interface Props {
  order: OrderJson
  /** As on the invoice. */
  mayPay: boolean
  /** The key of the signed link that opened the page. */
  viewKey: string | null
  payTo: AdvanceAccounts | null
  /** Hours that an order with a verified phone is held. */
  advanceHours: number
  /** Days between the final weighing and delivery; null without an animal in the order. */
  weighingDays: number | null
  choices: PaymentChoicesJson | null
  sms: 'sent' | 'queued' | null
}

/** The confirmation of an order: products, delivery, payments and amount due, and next steps. */
export function Page({ order: first, mayPay, viewKey, payTo, advanceHours, weighingDays, choices, sms }: Props) {
  const { t, lang } = useI18n()
  const { user, sendsSms } = usePageContext()
  const { order, suffix, report, confirmPhone } = useOrder(first, viewKey)
  const paymentState = invoicePaymentState(order)
  return (
    <StoreLayout>
      <div className="mx-auto grid max-w-6xl items-start gap-5 px-4 py-5 lg:grid-cols-[1fr_19rem] lg:gap-8 lg:py-8">
        <div className="min-w-0 space-y-5">
          {/* The specified thank-you dialog: a part of the page, so that it covers nothing of the order. */}
          <section
            role="dialog"
            aria-labelledby="thanks-title"
            className="rounded-card border-s-4 border-leaf-600 bg-leaf-100 px-4 py-4 sm:px-6"
          >
            <h1 id="thanks-title" className="flex items-center gap-2.5 text-2xl sm:text-3xl">
              <CheckIcon size={30} className="shrink-0 text-leaf-600" />
              {t(order.is_free_order ? 'place.success' : 'place.thanks')}
            </h1>
            <p className="mt-1.5">{t('place.thanks-order', { id: localizeDigits(lang, String(order.id)) })}</p>
            {isToSend(order.status) && !order.is_collection ? <p className="mt-1">{t('place.thanks-text')}</p> : null}
            {sms === null ? null : <p className="mt-1">{t(`confirmed.sms-${sms}`, { phone: localizeDigits(lang, order.phone) })}</p>}
            {paymentState === 'advance' && order.expires_at !== null ? (
              <p className="mt-2 font-semibold">
                {t('place.thanks-until', {
                  amount: money(payableNow(order), lang),
                  until: formatDateTime(new Date(order.expires_at), lang),
                })}
              </p>
            ) : null}
            {order.is_free_order ? <HomeSoon orderId={order.id} /> : null}
            <div className="mt-4 flex flex-wrap gap-3">
              <ButtonLink href={`/invoice/${order.id}${suffix}`}>{t('place.ok')}</ButtonLink>
              <ButtonLink kind="secondary" href={order.tracking_url}>
                <TruckIcon size={20} />
                {t('confirmed.track')}
              </ButtonLink>
            </div>
          </section>
          {advanceState(order) !== null && mayPay ? (
            <AdvancePanel
              order={order}
              payTo={payTo}
              hours={advanceHours}
              onReport={report}
              onConfirmPhone={confirmPhone}
              more={
                paymentState === 'advance' && choices !== null ? <OtherPayments order={order} choices={choices} suffix={suffix} /> : null
              }
            />
          ) : null}
          <Ordered order={order} suffix={suffix} />
        </div>
        <aside className="space-y-5 lg:sticky lg:top-24">
          <NextSteps order={order} weighingDays={weighingDays} />
          {user === null && sendsSms ? <AccountOffer path={`/order/confirmed/${order.id}${suffix}`} /> : null}
          <ButtonLink kind="quiet" href="/">
            {t('invoice.shop-more')}
          </ButtonLink>
        </aside>
      </div>
    </StoreLayout>
  )
}

function Ordered({ order, suffix }: { order: OrderJson; suffix: string }) {
  const { t, lang } = useI18n()
  const row = 'flex justify-between gap-4'
  const expected = expectedText(order, lang)
  const isDueLater = expected !== null && advanceToSend(order) === 0
  // Lines include product discounts; the remaining difference to the total is the coupon's discount.
  const lines = order.lines.reduce((total, line) => total + line.line_total, 0)
  const discount = Math.round((lines + order.shipping_cost - order.total) * 100) / 100
  return (
    <section aria-labelledby="ordered-title" className="rounded-card border border-line bg-milk p-4 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="ordered-title" className="text-xl">
          {t('confirmed.items')}
        </h2>
        <a href={`/invoice/${order.id}${suffix}`} className="font-semibold underline underline-offset-4">
          {t('confirmed.invoice')}
        </a>
      </div>
      {expected === null ? null : (
        <p className="mt-1">
          {t(order.is_collection ? 'invoice.collect-day' : 'invoice.list-day')}: <b>{expected}</b>
          {order.is_collection ? (
            <span className="block">
              {t('invoice.collect-at')}: {order.address}
            </span>
          ) : null}
        </p>
      )}
      <ul className="mt-2 divide-y divide-line">
        {order.lines.map((line) => (
          <li key={line.product_id} className="flex items-baseline justify-between gap-4 py-2">
            <span className="min-w-0 break-words">
              {line.name} {line.tag_number ? <span className="ear-tag mx-1 -rotate-2 text-sm">{line.tag_number}</span> : null}
              <span className="block text-sm text-stone">{formatQuantity(toMilli(line.quantity), line.unit, lang)}</span>
            </span>
            <span className="tabular-nums font-semibold whitespace-nowrap">{money(line.line_total, lang)}</span>
          </li>
        ))}
      </ul>
      <dl className="tabular-nums space-y-1 border-t border-line pt-3">
        <div className={row}>
          <dt className="font-normal">{t('summary.delivery')}</dt>
          <dd>{money(order.shipping_cost, lang)}</dd>
        </div>
        {discount > 0 ? (
          <div className={`${row} text-leaf-600`}>
            <dt className="font-normal">{discountLabel(t, order.coupon)}</dt>
            <dd>{money(-discount, lang)}</dd>
          </div>
        ) : null}
        <div className={`${row} text-lg font-semibold`}>
          <dt>{t('summary.total')}</dt>
          <dd>{money(order.total, lang)}</dd>
        </div>
        <div className={row}>
          <dt className="font-normal">{t('confirmed.paid')}</dt>
          <dd>{money(order.paid, lang)}</dd>
        </div>
        {order.due > 0 ? (
          <div className={row}>
            <dt className="font-normal">
              {t(!isDueLater ? 'invoice.balance.due' : order.is_collection ? 'confirmed.collect-due' : 'confirmed.due')}
            </dt>
            <dd className="font-semibold">{money(order.due, lang)}</dd>
          </div>
        ) : null}
        {order.due < 0 ? (
          <div className={row}>
            <dt className="font-normal">{t('invoice.balance.refund-due')}</dt>
            <dd className="font-semibold">{money(-order.due, lang)}</dd>
          </div>
        ) : null}
      </dl>
    </section>
  )
}

function AccountOffer({ path }: { path: string }) {
  const { t } = useI18n()
  return (
    <section aria-labelledby="account-offer" className="rounded-card border border-line bg-white p-4">
      <h2 id="account-offer" className="text-lg">
        {t('confirmed.account-title')}
      </h2>
      <p className="mt-1">{t('confirmed.account-text')}</p>
      <ButtonLink kind="secondary" className="mt-3" href={`/register?next=${encodeURIComponent(path)}`}>
        {t('confirmed.account')}
      </ButtonLink>
    </section>
  )
}

const HOME_AFTER_MS = 3000

/** A free order redirects to the home page after three seconds, once and unless cancelled. A reload shows the confirmation. */
function HomeSoon({ orderId }: { orderId: number }) {
  const { t } = useI18n()
  const [leaves, setLeaves] = useState(false)
  useEffect(() => {
    if (readSession(FREE_ORDER_KEY) !== orderId) return
    writeSession(FREE_ORDER_KEY, null)
    setLeaves(true)
  }, [orderId])
  useEffect(() => {
    if (!leaves) return undefined
    const timer = setTimeout(() => location.assign('/'), HOME_AFTER_MS)
    return () => clearTimeout(timer)
  }, [leaves])
  if (!leaves) return null
  return (
    <p role="status" className="mt-2 flex flex-wrap items-center gap-x-4">
      {t('place.success-home')}
      <Button kind="secondary" size="small" className="min-h-11" onClick={() => setLeaves(false)}>
        {t('confirmed.stay')}
      </Button>
    </p>
  )
}
