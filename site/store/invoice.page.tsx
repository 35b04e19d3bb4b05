import './invoice.css'
import { useCallback, useEffect, useState } from 'react'
import { Button, ButtonLink } from '#components/button.tsx'
import { expectedText } from '#features/orders/expected-delivery-rules.ts'
import { hasNews, moneyStanding, payableNow, type PaymentStatus, timeline } from '#features/orders/invoice-rules.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { AdvancePanel, type AdvancePlaces, type AdvanceReport } from '#features/orders/ui/advance-form.tsx'
import { InvoicePaper } from '#features/orders/ui/invoice-paper.tsx'
import { money } from '#features/orders/ui/paper-money.ts'
import { PaymentPanel } from '#features/orders/ui/payment-panel.tsx'
import { digitsIn } from '#lib/numbers.ts'
import type { QrDrawing } from '#lib/qr.server.ts'
import { formatDateTime } from '#lib/time.ts'
import { call } from '#site/api-client.ts'
import { useI18n, useShell } from '#site/app-root.tsx'
import { confirmPhone } from './confirm-phone.ts'
import { StoreLayout } from './layout.tsx'
import { payOrder } from './pay-order.ts'

export interface Props {
  order: OrderJson
  /** The code that leads to its tracking page. */
  tracking: { qr: QrDrawing; url: string }
  /** The key of the signed link that it was opened with. */
  viewKey: string | null
  now: string
  payTo: AdvancePlaces
  /** How long an order is held whose phone is confirmed. */
  advanceHours: number
  /** Days between the last weighing and delivery; null when no animal is in the order. */
  weighingDays: number | null
}

/** An order, its paper, its money and what comes next. */
export function Page({ order: first, tracking, viewKey, payTo, advanceHours, weighingDays }: Props) {
  const { t } = useI18n()
  const [order, setOrder] = useState(first)
  const standing = moneyStanding(order)
  const waiting = useAwaitedPayment(order, viewKey, standing === 'waiting')
  useFreshOnReturn()
  const suffix = viewKey === null ? '' : `?key=${encodeURIComponent(viewKey)}`

  const pay = () => payOrder(order.id, suffix, t)

  const report = async (advance: AdvanceReport) => {
    const answer = await call<{ advance?: OrderJson['advances'][number]; message?: string } | null>(`/orders/${order.id}/advance`, {
      method: 'POST',
      body: { ...advance, key: viewKey },
    })
    if (answer.noResponse) return t('place.no-response')
    const sent = answer.body?.advance
    if (!answer.ok || !sent) return answer.body?.message ?? t('advance.failed')
    setOrder((before) => ({ ...before, advances: [...before.advances.filter((one) => one.transaction_id !== sent.transaction_id), sent] }))
    return null
  }

  return (
    <StoreLayout>
      <div className="mx-auto grid max-w-6xl items-start gap-5 px-4 py-5 lg:grid-cols-[1fr_19rem] lg:gap-8 lg:py-8 print:block print:p-0">
        <div className="min-w-0 space-y-5">
          <PaymentPanel order={order} waiting={waiting} onPay={pay} />
          {standing === 'advance' || standing === 'advance-checking' ? (
            <AdvancePanel
              order={order}
              payTo={payTo}
              hours={advanceHours}
              onReport={report}
              onConfirmPhone={() => confirmPhone(order.id, suffix, t)}
            />
          ) : null}
          <InvoicePaper order={order} tracking={tracking} />
        </div>
        <aside data-paper-side className="space-y-5 lg:sticky lg:top-24 print:hidden">
          <NextSteps order={order} weighingDays={weighingDays} />
          <Timeline order={order} />
          <div className="flex flex-wrap gap-3 lg:flex-col">
            <Button kind="secondary" onClick={() => window.print()}>
              {t('invoice.print')}
            </Button>
            <ButtonLink kind="quiet" href="/">
              {t('invoice.shop-more')}
            </ButtonLink>
          </div>
        </aside>
      </div>
    </StoreLayout>
  )
}

/** Back from the payment page the browser may show the invoice as it was before: it is asked for anew. */
function useFreshOnReturn(): void {
  useEffect(() => {
    const renew = (event: PageTransitionEvent) => {
      if (event.persisted) location.reload()
    }
    window.addEventListener('pageshow', renew)
    return () => window.removeEventListener('pageshow', renew)
  }, [])
}

const ASK_MS = 4_000
const ASK_LATER_MS = 15_000
const SLOW_AFTER_MS = 60_000

/** Asks how an awaited payment stands, every few seconds and then less often; any news shows the page anew. */
function useAwaitedPayment(order: OrderJson, viewKey: string | null, active: boolean) {
  const [state, setState] = useState({ isSlow: false, isOffline: false })
  const ask = useCallback(async () => {
    const key = viewKey === null ? '' : `&key=${encodeURIComponent(viewKey)}`
    const answer = await call<PaymentStatus>(`/payments/status?order=${order.id}${key}`, { cache: 'no-store' })
    if (answer.ok && hasNews(order, answer.body)) location.reload()
    return !answer.ok
  }, [order, viewKey])
  useEffect(() => {
    if (!active) return
    const begun = Date.now()
    let timer: ReturnType<typeof setTimeout>
    const next = async () => {
      if (document.visibilityState === 'visible') {
        const isOffline = await ask().catch(() => true)
        setState({ isSlow: Date.now() - begun > SLOW_AFTER_MS, isOffline })
      }
      timer = setTimeout(next, Date.now() - begun > SLOW_AFTER_MS ? ASK_LATER_MS : ASK_MS)
    }
    timer = setTimeout(next, ASK_MS)
    return () => clearTimeout(timer)
  }, [active, ask])
  return state
}

function NextSteps({ order, weighingDays }: { order: OrderJson; weighingDays: number | null }) {
  const { t, lang } = useI18n()
  const { shop } = useShell()
  if (order.status !== 'placed' && order.status !== 'processing') return null
  const later = order.due - payableNow(order)
  const expected = expectedText(order, lang)
  return (
    <section aria-labelledby="next-title" className="stitch rounded-card bg-milk p-4 text-leaf-800">
      <h2 id="next-title" className="text-lg">
        {t('invoice.next-title')}
      </h2>
      <ul className="mt-2 list-disc space-y-1.5 ps-5 text-ink">
        {expected === null ? null : <li>{t('invoice.next-day', { day: expected })}</li>}
        {weighingDays === null ? null : <li>{t('invoice.next-weighing', { days: digitsIn(lang, String(weighingDays)) })}</li>}
        <li>{t('invoice.next-call', { phone: digitsIn(lang, order.phone) })}</li>
        {later > 0 ? <li>{t('invoice.next-due', { amount: money(later, lang) })}</li> : null}
      </ul>
      {shop.phone ? (
        <p className="mt-3 text-ink">
          <a href={`tel:+88${shop.phone}`} className="font-semibold underline underline-offset-4">
            {t('invoice.questions', { phone: digitsIn(lang, shop.phone) })}
          </a>
        </p>
      ) : null}
    </section>
  )
}

function Timeline({ order }: { order: OrderJson }) {
  const { t, lang } = useI18n()
  return (
    <section aria-labelledby="timeline-title" className="px-1">
      <h2 id="timeline-title" className="text-lg">
        {t('invoice.timeline')}
      </h2>
      <ol className="mt-2 space-y-3 border-s-2 border-leaf-600/40 ps-4">
        {timeline(order).map(({ at, text }, index) => (
          <li
            key={index}
            className="relative before:absolute before:-start-[1.36rem] before:top-1.5 before:size-2.5 before:rounded-pill before:bg-leaf-600"
          >
            <span className="block font-semibold">{t(text)}</span>
            <span className="block text-sm text-stone">{formatDateTime(new Date(at), lang)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
