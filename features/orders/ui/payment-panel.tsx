import { type ReactNode, useState } from 'react'
import { ButtonLink } from '#components/button.tsx'
import { AlertIcon, CheckIcon, InfoIcon } from '#components/icons.tsx'
import { PostButton } from '#components/post-button.tsx'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { dueLater, hasExpired, invoicePaymentState, isRestOpen, payableNow, writtenReason } from '../printing/invoice-rules.ts'
import { isHandedOver } from '../rules.ts'
import type { OrderJson } from '../types.ts'
import { money } from './invoice-amounts.ts'

export interface PaymentPanelProps {
  order: OrderJson
  /** The progress of waiting for the gateway. */
  waiting: { isSlow: boolean; isOffline: boolean }
  /** Opens the payment page; resolves to an error text when that fails. Null for a visitor who may not pay. */
  onPay: (() => Promise<string | null>) | null
  /** The query with the key of a signed link. */
  suffix: string
  /** Other payment methods of an unpaid order, or ways to pay the rest online; for an ended one, a button that moves its products to the cart. */
  more?: ReactNode
}

/** The payment state of the order, with the next actions of the shopper. */
export function PaymentPanel(props: PaymentPanelProps) {
  const { t, lang } = useI18n()
  const { order } = props
  const state = invoicePaymentState(order)
  const until = order.expires_at === null ? '…' : formatDateTime(new Date(order.expires_at), lang)
  switch (state) {
    case 'closed':
      return <Closed order={order} more={props.more} />
    case 'review':
      return (
        <Box tone="wait" title={t('payment-state.review')}>
          <p>{t('payment-state.review-text')}</p>
        </Box>
      )
    case 'waiting':
      return (
        <Box tone="wait" title={t('payment-state.waiting')} busy>
          <Waiting {...props} until={until} />
        </Box>
      )
    case 'failed':
    case 'abandoned':
    case 'refused':
      return (
        // A payment that the payer cancelled is not shown as a failure.
        <Box tone={state === 'abandoned' ? 'wait' : 'bad'} title={t(`payment-state.${state}`)}>
          <p>{t(`payment-state.${state}-text`, { until })}</p>
          <PayNow {...props} />
          {props.more}
        </Box>
      )
    case 'paid':
    case 'part':
    case 'free':
      return (
        <Box tone="good" title={t(order.due < 0 ? 'invoice.balance.refund-due' : `payment-state.${state}`)}>
          {order.due > 0 ? <Rest order={order} more={props.more} /> : null}
        </Box>
      )
    default:
      return null
  }
}

/** The text that says when the amount due is to be paid. */
export const dueText = ({ status, is_collection }: OrderJson) =>
  isHandedOver(status) ? 'invoice.still-due' : is_collection ? 'invoice.collect-due' : 'invoice.next-due'

/** The rest: when it is due, less an advance that is asked for first, how its latest online payment stands, and the ways to pay it online. */
function Rest({ order, more }: Pick<PaymentPanelProps, 'order' | 'more'>) {
  const { t, lang } = useI18n()
  const { attempt } = order
  const later = dueLater(order)
  return (
    <>
      {later > 0 ? <p>{t(dueText(order), { amount: money(later, lang) })}</p> : null}
      {isRestOpen(order) ? (
        <p>{t('payment-state.checking-text')}</p>
      ) : attempt?.is_rest && attempt.state === 'failed' && !attempt.is_cancelled ? (
        <p className="font-semibold">{t('payment-state.failed')}</p>
      ) : null}
      {more}
    </>
  )
}

const TONES = {
  good: { box: 'border-leaf-600 bg-leaf-100', icon: <CheckIcon size={24} className="shrink-0 text-leaf-600" /> },
  wait: { box: 'border-mango bg-mango-100', icon: <InfoIcon size={24} className="shrink-0" /> },
  bad: { box: 'border-terracotta bg-terracotta-100', icon: <AlertIcon size={24} className="shrink-0 text-terracotta" /> },
}

function Box({ tone, title, busy = false, children }: { tone: keyof typeof TONES; title: string; busy?: boolean; children?: ReactNode }) {
  return (
    <section role="status" aria-busy={busy || undefined} className={`rounded-card border-s-4 px-4 py-3.5 print:hidden ${TONES[tone].box}`}>
      <h2 className="flex items-center gap-2 text-lg">
        {TONES[tone].icon}
        {title}
      </h2>
      {children ? <div className="mt-1 space-y-2">{children}</div> : null}
    </section>
  )
}

function Waiting({ order, suffix, waiting, onPay, until, more }: PaymentPanelProps & { until: string }) {
  const { t } = useI18n()
  return (
    <>
      <p>
        {t('payment-state.waiting-text', { until })} {t('payment-state.checking-text')}
      </p>
      {waiting.isOffline ? (
        <p className="font-semibold">{t('payment-state.offline')}</p>
      ) : waiting.isSlow ? (
        <p>{t('payment-state.slow')}</p>
      ) : null}
      <PayNow order={order} suffix={suffix} onPay={onPay} />
      {more}
    </>
  )
}

/** Button that opens the payment page for the amount payable now. Shows an error when the page does not open. */
export function PayNow({ order, suffix, onPay }: Pick<PaymentPanelProps, 'order' | 'suffix' | 'onPay'>) {
  const { t, lang } = useI18n()
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({ busy: false, problem: null })
  if (onPay === null) return null
  const pay = async () => {
    setState({ busy: true, problem: null })
    const problem = await onPay()
    if (problem !== null) setState({ busy: false, problem })
  }
  return (
    <>
      {/* The form of the button is no box, which the space between the parts needs. */}
      <div className="max-sm:w-full">
        <PostButton action={`/orders/${order.id}/pay${suffix}`} onSend={pay} busy={state.busy} className="max-sm:w-full">
          {state.busy ? t('payment.opening') : t('payment.pay-now', { amount: money(payableNow(order), lang) })}
        </PostButton>
      </div>
      {state.problem === null ? null : (
        <p role="alert" className="font-semibold text-terracotta">
          {state.problem}
        </p>
      )}
    </>
  )
}

function Closed({ order, more }: Pick<PaymentPanelProps, 'order' | 'more'>) {
  const { t, lang } = useI18n()
  const expired = hasExpired(order)
  const reason = writtenReason(order)
  return (
    <Box
      tone="bad"
      title={t(expired ? 'order-closed.expired' : order.status === 'returned' ? 'order-closed.returned' : 'order-closed.cancelled')}
    >
      {reason ? <p>{t('order-closed.reason', { reason })}</p> : null}
      {order.due < 0 ? (
        <p className="font-semibold">{t('invoice.due-back', { amount: money(-order.due, lang) })}</p>
      ) : (
        <p>{t('order-closed.again')}</p>
      )}
      <div className="flex flex-wrap gap-3">
        {more}
        <ButtonLink href="/" kind="secondary">
          {t('invoice.shop-more')}
        </ButtonLink>
      </div>
    </Box>
  )
}
