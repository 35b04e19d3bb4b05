import './invoice.css'
import { Button, ButtonLink } from '#components/button.tsx'
import { ServerOnly } from '#components/server-only.tsx'
import { advanceState, invoicePaymentState } from '#features/orders/printing/invoice-rules.ts'
import type { OrderJson, PaymentChoicesJson } from '#features/orders/types.ts'
import type { AdvanceAccounts } from '#features/orders/advances/account-rules.ts'
import { AdvancePanel } from '#features/orders/ui/advance-form.tsx'
import { PrintableInvoice } from '#features/orders/ui/printable-invoice.tsx'
import { PaymentPanel } from '#features/orders/ui/payment-panel.tsx'
import { isHandedOver } from '#features/orders/rules.ts'
import type { QrDrawing } from '#lib/codes/qr-code.server.ts'
import { useI18n } from '#page/page-context.tsx'
import { StoreLayout } from '../layout.tsx'
import { BackToCart } from './back-to-cart.tsx'
import { NextSteps } from './next-steps.tsx'
import { OtherPayments } from './other-payments.tsx'
import { Timeline } from './timeline.static.tsx'
import { useOrder } from './use-order.ts'

export interface Props {
  order: OrderJson
  /** The visitor has the order as its customer, and not as staff. */
  isCustomer: boolean
  /** The visitor may pay the order, report a payment, and move its products to the cart. Staff who may only read it may not. */
  mayPay: boolean
  /** The code of its tracking page. */
  tracking: { qr: QrDrawing; url: string }
  /** The key of the signed link that opened the page. */
  viewKey: string | null
  payTo: AdvanceAccounts | null
  /** Hours that an order with a verified phone is held. */
  advanceHours: number
  /** Days between the final weighing and delivery; null without an animal in the order. */
  weighingDays: number | null
  /** Other payment methods; null for an order that cannot change its own. */
  choices: PaymentChoicesJson | null
}

/** An order: invoice, payments, and next steps. */
export function Page({ order: first, isCustomer, mayPay, tracking, viewKey, payTo, advanceHours, weighingDays, choices }: Props) {
  const { t } = useI18n()
  const { order, suffix, waiting, pay, report, confirmPhone } = useOrder(first, viewKey)
  const paymentState = invoicePaymentState(order)
  const others = choices === null ? null : <OtherPayments order={order} choices={choices} suffix={suffix} />

  return (
    <StoreLayout>
      <div className="mx-auto grid max-w-6xl items-start gap-5 px-4 py-5 lg:grid-cols-[1fr_19rem] lg:gap-8 lg:py-8 print:block print:p-0">
        <div className="min-w-0 space-y-5">
          <PaymentPanel
            order={order}
            suffix={suffix}
            waiting={waiting}
            onPay={mayPay ? pay : null}
            more={paymentState === 'closed' && mayPay ? <BackToCart order={order} suffix={suffix} /> : others}
          />
          {advanceState(order) !== null && mayPay ? (
            <AdvancePanel
              order={order}
              payTo={payTo}
              hours={advanceHours}
              onReport={report}
              onConfirmPhone={confirmPhone}
              more={paymentState === 'advance' ? others : null}
            />
          ) : null}
          <PrintableInvoice order={order} tracking={tracking} />
        </div>
        <aside data-invoice-side className="space-y-5 lg:sticky lg:top-24 print:hidden">
          <NextSteps order={order} weighingDays={weighingDays} />
          <ServerOnly id="order-timeline">{import.meta.env.SSR ? <Timeline order={order} /> : null}</ServerOnly>
          <div className="flex flex-wrap gap-3 lg:flex-col">
            {isHandedOver(order.status) && isCustomer ? (
              <ButtonLink href={`/order/review/${order.id}${suffix}`}>{t(order.is_reviewed ? 'review.yours' : 'review.write')}</ButtonLink>
            ) : null}
            <Button kind="secondary" className="needs-script" onClick={() => window.print()}>
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
