import type { ReactNode } from 'react'
import { CheckIcon } from '#components/icons.tsx'
import { formatKg, toMilli } from '#lib/format/numbers.ts'
import { dhakaDate, formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { LISTED_METHODS } from '../payments/payment-list-rules.ts'
import type { OrderJson, SettlementJson } from '../types.ts'
import {
  adjustmentRows,
  deliveryCouponNote,
  discountLabel,
  money,
  namesDelivery,
  orderTotals,
  type OrderTotals,
  returnedWorth,
} from './invoice-amounts.ts'

interface RowProps {
  label: ReactNode
  /** In taka. */
  amount: number
  className?: string
}

/** A sum with its name, as an entry of a `<dl>`. */
function Row({ label, amount, className = '' }: RowProps) {
  const { lang } = useI18n()
  return (
    <div className={`flex justify-between gap-4 ${className}`}>
      <dt className="font-normal wrap-anywhere">{label}</dt>
      <dd>{money(amount, lang)}</dd>
    </div>
  )
}

const RULED = 'border-t border-ink pt-1.5'

export function Sums({ order }: { order: OrderJson }) {
  const { t, lang } = useI18n()
  const totals = orderTotals(order)
  const returned = returnedWorth(order)
  const delivery = (
    <>
      {t('summary.delivery')}
      <span className="block text-sm text-leaf-600">{deliveryCouponNote(t, lang, order.coupon)}</span>
    </>
  )
  return (
    <dl className="tabular-nums space-y-1">
      <Row label={t('summary.subtotal')} amount={order.subtotal} />
      {namesDelivery(order) ? <Row label={delivery} amount={order.shipping_cost} /> : null}
      {order.discount > 0 ? <Row label={discountLabel(t, order.coupon)} amount={-order.discount} className="text-leaf-600" /> : null}
      {totals.asOrdered === null ? null : <Row label={t('invoice.as-ordered')} amount={totals.asOrdered} className={RULED} />}
      {order.settlements.map((settlement) => (
        <Settlement key={settlement.at} settlement={settlement} />
      ))}
      {returned === 0 ? null : <Row label={t('ledger.return')} amount={returned} />}
      {totals.closed === 0 ? null : <Row label={t(`order-status.${order.status}`)} amount={totals.closed} />}
      {adjustmentRows(order).map(({ key, amount }) => (
        <Row key={key} label={t(key)} amount={amount} />
      ))}
      <div className={`flex flex-wrap justify-between gap-x-4 ${RULED} text-lg font-semibold`}>
        <dt>{t('summary.total')}</dt>
        <dd data-total>{money(totals.charged, lang)}</dd>
      </div>
      <Row label={t('invoice.paid')} amount={order.paid} />
      <Balance totals={totals} />
    </dl>
  )
}

/** The amount due or to be refunded, yellow while it is open. Absent for an ended order without payments. */
function Balance({ totals: { state, amount } }: { totals: OrderTotals }) {
  const { t, lang } = useI18n()
  if (state === 'none') return null
  const isOpen = amount > 0 && state !== 'refunded'
  return (
    <div
      className={`mt-2 flex flex-wrap items-baseline justify-between gap-x-4 rounded-tag px-3 py-2 text-xl font-semibold print:border-2 print:border-ink print:bg-white ${isOpen ? 'bg-tag' : 'bg-leaf-100'}`}
    >
      <dt className="wrap-anywhere">{t(amount === 0 ? 'invoice.nothing-due' : `invoice.balance.${state}`)}</dt>
      <dd data-owed>{amount === 0 ? <CheckIcon size={22} className="text-leaf-600" /> : money(amount, lang)}</dd>
    </div>
  )
}

/** A final weighing with the weights, the rate and the change of the price, as an entry of a `<dl>`. */
export function Settlement({ settlement }: { settlement: SettlementJson }) {
  const { t, lang } = useI18n()
  const kg = (value: number) => formatKg(toMilli(value), lang)
  const { old_kg, new_kg, rate_per_kg, difference, tag_number } = settlement
  const label = (
    <>
      {t('ledger.settlement')} {tag_number}
      <span className="block text-sm text-stone">
        {t('invoice.weighed', { old: kg(old_kg), new: kg(new_kg), rate: money(rate_per_kg, lang) })}
      </span>
    </>
  )
  return <Row label={label} amount={difference} />
}

/** The name of a payment method. An unknown method is shown as stored. */
export function useMethodName(): (method: string) => string {
  const { t } = useI18n()
  return (method) => {
    const known = LISTED_METHODS.find((name) => name === method)
    return known ? t(`method.${known}`) : method
  }
}

export function Payments({ order }: { order: OrderJson }) {
  const { t, lang } = useI18n()
  const nameOf = useMethodName()
  return (
    <section>
      <h2 className="border-b border-line pb-1 text-base">{t('invoice.payments')}</h2>
      {order.payments.length === 0 ? (
        <p className="mt-2 text-stone">{t('invoice.no-payments')}</p>
      ) : (
        <ul className="mt-1 divide-y divide-line">
          {order.payments.map((payment, index) => (
            <li key={index} className="flex justify-between gap-4 py-1.5">
              <span className="min-w-0 wrap-anywhere">
                {t(`ledger.${payment.kind}`)}{' '}
                {payment.kind === payment.method ? null : <span className="text-stone">({nameOf(payment.method)})</span>}
                <span className="block text-sm text-stone">
                  {formatDay(dhakaDate(new Date(payment.at)), lang)}
                  {payment.reference ? ` · ${t('invoice.reference', { reference: payment.reference })}` : ''}
                </span>
              </span>
              <span className="tabular-nums font-semibold whitespace-nowrap">{money(payment.amount, lang)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
