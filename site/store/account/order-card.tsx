import { Button, ButtonLink } from '#components/button.tsx'
import { ScaleIcon } from '#components/icons.tsx'
import { advanceState, advanceToSend, dueLater, invoicePaymentState } from '#features/orders/printing/invoice-rules.ts'
import { expectedText } from '#features/orders/expected-delivery-rules.ts'
import { CHANGED_REASON, findCancelBlock } from '#features/orders/status/own-cancel-rules.ts'
import type { OwnOrder } from '#features/orders/history/own-orders.server.ts'
import { isHandedOver, isLive, type OrderStatus, shownStatus } from '#features/orders/rules.ts'
import type { OrderLineJson } from '#features/orders/types.ts'
import { adjustmentRows, discountLabel, money, orderDiscount, orderTotals, returnedWorth } from '#features/orders/ui/invoice-amounts.ts'
import { Settlement, useMethodName } from '#features/orders/ui/invoice-totals.tsx'
import { dueText, PayNow } from '#features/orders/ui/payment-panel.tsx'
import { smallUrl } from '#features/catalog/ui/thumbnail-strip.tsx'
import { localizeDigits, formatKg, formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { dhakaDate, formatDateTime, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { payOrder } from '../order/pay-order.ts'

const LOOKS: Record<OrderStatus, string> = {
  placed: 'bg-indigo-100 text-indigo',
  processing: 'bg-mango-100 text-ink',
  on_delivery: 'bg-mango-100 text-ink',
  delivered: 'bg-leaf-100 text-leaf-800',
  completed: 'bg-leaf-100 text-leaf-800',
  cancelled: 'bg-sand text-stone',
  returned: 'bg-sand text-stone',
}

interface Props {
  order: OwnOrder
  onCancel: () => void
  /** Null: nothing can be reordered. */
  onAgain: (() => void) | null
  /** The reorder is loading. */
  busy: boolean
}

/** One order: products, status, weights, payments, amount due, and the available actions. */
export function OrderCard({ order, onCancel, onAgain, busy }: Props) {
  const { t, lang } = useI18n()
  const id = localizeDigits(lang, String(order.id))
  const review = t(order.is_reviewed ? 'review.yours' : 'review.write')
  const expected = expectedText(order, lang)
  return (
    <article className="rounded-card border border-line bg-milk shadow-soft" data-order={order.id} data-status={order.status}>
      <header className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-3">
        <div>
          <h3 className="tabular-nums text-base">
            <a href={`/invoice/${order.id}`} className="underline-offset-4 hover:underline">
              {t('account.order-no', { id })}
            </a>
          </h3>
          <p className="text-sm text-stone">
            <time dateTime={order.placed_at}>{formatDateTime(new Date(order.placed_at), lang)}</time>
          </p>
        </div>
        <span className={`rounded-tag px-2 py-0.5 text-sm font-semibold ${LOOKS[order.status]}`}>
          {t(`order-status.${shownStatus(order)}`)}
        </span>
      </header>
      <div className="space-y-3 px-4 py-3">
        <ul className="space-y-2">
          {order.lines.map((line) => (
            <Line key={line.product_id} line={line} />
          ))}
        </ul>
        {expected === null ? null : (
          <p className="text-sm">{t(order.is_collection ? 'invoice.next-collect' : 'invoice.next-day', { day: expected })}</p>
        )}
        {order.pre_booked_at === null ? null : (
          <p className="text-sm text-stone">
            {t('account.pre-booked', { day: formatDay(dhakaDate(new Date(order.pre_booked_at)), lang) })}
          </p>
        )}
        <Weights order={order} />
        <Additions order={order} />
        <Sums order={order} />
        <Money order={order} />
      </div>
      <footer className="flex flex-wrap gap-2 border-t border-line px-4 py-3">
        <ButtonLink kind="secondary" href={`/invoice/${order.id}`} aria-label={t('account.invoice-of', { id })}>
          {t('account.invoice')}
        </ButtonLink>
        {isHandedOver(order.status) ? (
          <ButtonLink kind="secondary" href={`/order/review/${order.id}`} aria-label={`${review}: ${t('account.order-no', { id })}`}>
            {review}
          </ButtonLink>
        ) : null}
        {onAgain === null ? null : (
          <Button kind="secondary" className="needs-script" busy={busy} onClick={onAgain} aria-label={t('account.again-of', { id })}>
            {t('account.again')}
          </Button>
        )}
        {findCancelBlock(order) === null ? (
          <Button kind="quiet" className="needs-script text-terracotta" onClick={onCancel} aria-label={t('account.cancel-of', { id })}>
            {t('account.cancel')}
          </Button>
        ) : null}
      </footer>
    </article>
  )
}

function Line({ line }: { line: OrderLineJson }) {
  const { lang } = useI18n()
  return (
    <li className="flex flex-wrap items-center justify-end gap-x-3">
      <a href={`/product/${line.product_id}`} className="group flex min-h-11 min-w-0 grow basis-40 items-center gap-3">
        <span className="h-11 w-14 shrink-0 overflow-hidden rounded-tag bg-sand">
          {line.picture_url ? (
            <img src={smallUrl(line.picture_url)} alt="" width={56} height={44} loading="lazy" className="h-full w-full object-cover" />
          ) : null}
        </span>
        <span className="min-w-0">
          <span className="line-clamp-2 wrap-anywhere underline-offset-4 group-hover:underline">{line.name}</span>
          <span className="tabular-nums block text-sm text-stone">{formatQuantity(toMilli(line.quantity), line.unit, lang)}</span>
        </span>
      </a>
      <span className="tabular-nums shrink-0">{money(line.line_total, lang)}</span>
    </li>
  )
}

/** Weights of the animals when booked, and later weighings. */
function Weights({ order }: { order: OwnOrder }) {
  const { t, lang } = useI18n()
  const animals = order.lines.filter((line) => line.tag_number !== null && line.booked_kg !== null)
  if (animals.length === 0) return null
  return (
    <ul className="tabular-nums rounded-card bg-sand px-3 py-2 text-sm">
      {animals.map((line) => (
        <li key={line.product_id} className="flex gap-2">
          <ScaleIcon size={16} className="mt-0.5 shrink-0 text-leaf-600" />
          <span>
            {t('account.booked-at', { tag: line.tag_number ?? '', kg: formatKg(toMilli(line.booked_kg ?? 0), lang) })}
            {order.weigh_ins
              .filter((one) => one.product_id === line.product_id)
              .map((one) => (
                <span key={`${one.weighed_on} ${one.kg}`} className="block">
                  {t('account.weighed-since', {
                    tag: line.tag_number ?? '',
                    kg: formatKg(toMilli(one.kg), lang),
                    day: formatDay(one.weighed_on, lang),
                  })}
                </span>
              ))}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** What leads from the lines to the total: delivery, a discount of the whole order, final weighings, returns, fees and write-offs. */
function Additions({ order }: { order: OwnOrder }) {
  const { t, lang } = useI18n()
  const sums: [label: string, amount: number][] = [
    [t('summary.delivery'), order.shipping_cost],
    [discountLabel(t, order.coupon), orderDiscount(order)],
    // The total of an ended order is shown as it was ordered; a fee explains why less than the payments is to be refunded.
    [t('ledger.return'), isLive(order.status) ? returnedWorth(order) : 0],
    ...adjustmentRows(order).map(({ key, amount }): [string, number] => [t(key), amount]),
  ]
  return (
    <dl className="tabular-nums space-y-1">
      {order.settlements.map((settlement) => (
        <Settlement key={settlement.at} settlement={settlement} />
      ))}
      {sums
        .filter(([, amount]) => amount !== 0)
        .map(([label, amount]) => (
          <div key={label} className="flex justify-between gap-4">
            <dt>{label}</dt>
            <dd>{money(amount, lang)}</dd>
          </div>
        ))}
    </dl>
  )
}

function Sums({ order }: { order: OwnOrder }) {
  const { t, lang } = useI18n()
  const { asOrdered, charged, state, amount } = orderTotals(order)
  const isClosed = !isLive(order.status)
  const sums: [label: string, amount: number | null][] = [
    [t('account.total'), isClosed ? (asOrdered ?? charged) : charged],
    [t('account.paid'), order.paid],
    [t(`invoice.balance.${state}`), state === 'none' ? null : amount],
  ]
  return (
    <dl className="tabular-nums grid grid-cols-[repeat(auto-fit,minmax(5rem,1fr))] gap-2 border-t border-line pt-3">
      {sums.map(([label, taka]) => (
        <div key={label}>
          <dt className="text-sm text-stone">{label}</dt>
          <dd className="font-semibold">{taka === null ? null : money(taka, lang)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Payment state, payments, and how to pay the amount due. */
function Money({ order }: { order: OwnOrder }) {
  const { t, lang } = useI18n()
  const paymentState = invoicePaymentState(order)
  const reason = order.reason === CHANGED_REASON ? null : order.reason
  const advance = advanceState(order)
  const later = dueLater(order)
  const until = order.expires_at === null ? null : t('account.before', { until: formatDateTime(new Date(order.expires_at), lang) })
  return (
    <div className="space-y-2">
      <p className="font-semibold">
        {paymentState === 'closed' && reason ? t('order-closed.reason', { reason }) : t(`payment-state.${advance ?? paymentState}`)}
      </p>
      {order.payments.length > 0 ? <Payments order={order} /> : null}
      {order.due < 0 ? <p>{t('invoice.due-back', { amount: money(-order.due, lang) })}</p> : null}
      {paymentState === 'failed' || paymentState === 'abandoned' || paymentState === 'refused' || paymentState === 'waiting' ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <PayNow order={order} suffix="" onPay={() => payOrder(order.id, '', t)} />
          {until ? <span className="text-sm text-stone">{until}</span> : null}
        </div>
      ) : null}
      {advance === 'advance' ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <ButtonLink href={`/invoice/${order.id}`}>{t('account.send-advance', { amount: money(advanceToSend(order), lang) })}</ButtonLink>
          {until ? <span className="text-sm text-stone">{until}</span> : null}
        </div>
      ) : null}
      {(paymentState === 'part' || paymentState === 'cod') && later > 0 ? <p>{t(dueText(order), { amount: money(later, lang) })}</p> : null}
    </div>
  )
}

function Payments({ order }: { order: OwnOrder }) {
  const { t, lang } = useI18n()
  const nameOf = useMethodName()
  return (
    <ul className="tabular-nums space-y-1 text-sm">
      {order.payments.map((payment, index) => (
        <li key={index} className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 wrap-anywhere">
            {t(`ledger.${payment.kind}`)}{' '}
            <span className="text-stone">
              ({nameOf(payment.method)}), {formatDay(dhakaDate(new Date(payment.at)), lang)}
            </span>
          </span>
          <span>{money(payment.amount, lang)}</span>
        </li>
      ))}
    </ul>
  )
}
