import { useState } from 'react'
import { Button } from '#components/button.tsx'
import type { AdminAdvance, AdminOrder } from '#features/orders/history/order-details.server.ts'
import { ADJUSTMENT_KINDS, isEnded, PRICE_KINDS } from '#features/ledger/rules.ts'
import { adjustmentRows, money, orderTotals } from '#features/orders/ui/invoice-amounts.ts'
import { useMethodName } from '#features/orders/ui/invoice-totals.tsx'
import type { OpenPayment } from '#features/payments/queries.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { usePermissions } from '../ui/use-permissions.ts'
import { AdvanceReport } from '../advances/advance-report.tsx'
import { GatewayRefunds } from '../payments/gateway-refunds.tsx'
import { Adjustments } from './adjustments.tsx'
import { LedgerDialog } from './ledger-dialog.tsx'
import { OpenPaymentNote } from '../payments/open-payment.tsx'
import { PaymentReview } from '../payments/payment-review.tsx'

interface OrderMoneyProps {
  order: AdminOrder
  /** The reader has an open shift. */
  hasDrawer: boolean
  openPayment: OpenPayment | null
  onChange: (order: AdminOrder) => void
}

type Entry = AdminOrder['payments'][number]
type EntryKind = 'payments' | 'refunds'

/** The entries that can be recorded, the likeliest first: where a refund is due, a payment is the exception. */
function offeredKinds(order: AdminOrder, { mayPay, mayRefund, isRefundDue }: Record<'mayPay' | 'mayRefund' | 'isRefundDue', boolean>) {
  const canRefund = mayRefund && (order.refundable_sum > 0 || order.refundable.length > 0)
  const kinds: EntryKind[] = [...(mayPay ? ['payments' as const] : []), ...(canRefund ? ['refunds' as const] : [])]
  return isRefundDue ? kinds.reverse() : kinds
}

/** Totals and ledger of an order. Payments and refunds are recorded here, and advances verified. */
export function OrderMoney({ order, hasDrawer, openPayment, onChange }: OrderMoneyProps) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const [entering, setEntering] = useState<EntryKind | null>(null)
  const methodName = useMethodName()
  const isPrice = (row: Entry) => PRICE_KINDS.includes(row.kind)
  const isAdjustment = (row: Entry) => ADJUSTMENT_KINDS.some((kind) => kind === row.kind)
  const nameOf = (row: Entry) =>
    row.kind === row.method || isPrice(row) ? t(`ledger.${row.kind}`) : `${t(`ledger.${row.kind}`)} · ${methodName(row.method)}`
  const totals = orderTotals(order)
  const senderOf = (row: Entry) => {
    const report = order.advances.find(({ state, method, transaction_id }) => {
      return state === 'verified' && method === row.method && transaction_id === row.reference
    })
    return report ? localizeDigits(lang, report.sender) : null
  }
  const paymentState = {
    due: t('admin-orders.due'),
    overpaid: t('admin-orders.overpaid'),
    'to-refund': t('admin-orders.to-refund'),
    settled: t('admin-orders.due'),
  }[order.money]
  const isRefundDue = order.money === 'overpaid' || order.money === 'to-refund'
  const kinds = offeredKinds(order, { mayPay: can('payments.write'), mayRefund: can('payments.refund'), isRefundDue })
  return (
    <section className="admin-card p-4">
      <h2 className="text-lg">{t('admin-orders.money')}</h2>
      <dl className="tabular-nums mt-2 space-y-0.5">
        {totals.asOrdered === null ? null : <Row label={t('invoice.as-ordered')} value={money(totals.asOrdered, lang)} isQuiet />}
        {order.settlement === 0 ? null : <Row label={t('admin-orders.since')} value={money(order.settlement, lang)} isQuiet />}
        {totals.closed === 0 ? null : <Row label={t(`order-status.${order.status}`)} value={money(totals.closed, lang)} isQuiet />}
        {adjustmentRows(order).map(({ key, amount }) => (
          <Row key={key} label={t(key)} value={money(amount, lang)} isQuiet />
        ))}
        <Row label={t('admin-orders.total')} value={money(totals.charged, lang)} />
        {order.advance > 0 && !isEnded(order.status) ? (
          <Row label={t('admin-orders.advance-wanted')} value={money(order.advance, lang)} isQuiet />
        ) : null}
        <Row label={t('admin-orders.paid')} value={money(order.paid, lang)} />
        <div
          className={`flex justify-between gap-4 border-t border-line pt-1 text-lg font-semibold ${isRefundDue ? 'text-terracotta' : ''}`}
        >
          <dt>{paymentState}</dt>
          <dd data-due>{money(Math.abs(order.due), lang)}</dd>
        </div>
      </dl>
      {order.payments.length === 0 ? (
        <p className="mt-2 text-sm text-stone">{t('admin-orders.no-payments')}</p>
      ) : (
        <ul className="mt-3 divide-y divide-line border-y border-line text-sm">
          {order.payments.map((row) => (
            <li key={row.id} className="flex justify-between gap-3 py-1.5">
              <span className="min-w-0">
                {nameOf(row)}
                {row.reference && !isPrice(row) ? (
                  <span className="tabular-nums block break-all text-stone">
                    {[row.reference, senderOf(row)].filter(Boolean).join(' · ')}
                  </span>
                ) : null}
                <span className="block text-stone">
                  {formatDateTime(new Date(row.at), lang)} {row.by ? t('admin-orders.by', { name: row.by }) : null}
                </span>
              </span>
              {isPrice(row) ? (
                <span className="tabular-nums text-end whitespace-nowrap text-stone">
                  {isAdjustment(row)
                    ? money(-row.amount, lang)
                    : t(row.amount < 0 ? 'settle.more' : 'settle.less', { amount: money(Math.abs(row.amount), lang) })}
                </span>
              ) : (
                <b className={`tabular-nums whitespace-nowrap ${row.amount < 0 ? 'text-terracotta' : ''}`}>{money(row.amount, lang)}</b>
              )}
            </li>
          ))}
        </ul>
      )}
      {order.reviews.map((review) => (
        <PaymentReview key={review.id} review={review} onDecided={onChange} />
      ))}
      <OpenPaymentNote payment={openPayment} status={order.status} />
      <GatewayRefunds order={order} onChange={onChange} />
      {order.advances.filter(isOpenReport).map((report) => (
        <AdvanceReport key={report.id} report={report} order={order} onChange={onChange} />
      ))}
      <div className="mt-3 flex flex-wrap gap-2">
        {kinds.map((kind, index) => (
          <Button key={kind} size="small" kind={index === 0 ? 'secondary' : 'quiet'} data-entry onClick={() => setEntering(kind)}>
            {t(kind === 'refunds' ? 'admin-orders.record-refund' : 'admin-orders.record-payment')}
          </Button>
        ))}
        <Adjustments order={order} onChange={onChange} />
      </div>
      {entering ? <LedgerDialog kind={entering} {...{ order, hasDrawer, onChange }} close={() => setEntering(null)} /> : null}
    </section>
  )
}

/** False for a report that is a payment in the ledger: it is listed there. */
const isOpenReport = (report: AdminAdvance) => report.state !== 'verified'

function Row({ label, value, isQuiet = false }: { label: string; value: string; isQuiet?: boolean }) {
  return (
    <div className={`flex justify-between gap-4 ${isQuiet ? 'text-sm text-stone' : ''}`}>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
