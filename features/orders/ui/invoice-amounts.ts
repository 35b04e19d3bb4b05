import type { Lang } from '#lib/i18n/lang.ts'
import type { Translate } from '#lib/i18n/translate.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { isLive } from '../rules.ts'
import type { OrderJson } from '../types.ts'

/** Taka rounded to poisha. */
const exact = (taka: number) => (Math.round(taka * 100) || 0) / 100

/** The price of returned products in taka, zero or negative. Price changes by weighings are excluded. */
export function returnedWorth(order: OrderJson): number {
  const weighed = order.settlements.reduce((sum, one) => sum + one.difference * 100, 0)
  return Math.round(order.settlement * 100 - weighed) / 100
}

/** The discount of the whole order in taka, zero or negative: what lines and delivery exceed the total by. Line totals include product discounts. */
export function orderDiscount({
  lines,
  shipping_cost,
  total,
}: Pick<OrderJson, 'shipping_cost' | 'total'> & { lines: readonly { line_total: number }[] }): number {
  return exact(total - shipping_cost - lines.reduce((sum, { line_total }) => sum + line_total, 0))
}

/** The totals of an order in taka. `charged` - `paid` is always the amount due. With an amount of zero, `due` is paid or written off. */
export interface OrderTotals {
  /** The total when ordered; null when it is unchanged. */
  asOrdered: number | null
  /** The part of the total that an ended order does not charge, zero or negative. */
  closed: number
  charged: number
  /** The state of the money. `refunded`: an ended order whose money was refunded. `none`: an ended order without payments. */
  state: 'due' | 'refund-due' | 'refunded' | 'none'
  /** The amount of `state`, zero or above. */
  amount: number
}

/** The totals of an order after final weighings, returns, fees, write-offs and cancellation. They are derived from the amount due, so they match the ledger. */
export function orderTotals(
  order: Pick<OrderJson, 'status' | 'total' | 'settlement' | 'fee' | 'written_off' | 'paid' | 'due'> & {
    payments: readonly { kind: string; amount: number }[]
  },
): OrderTotals {
  const charged = exact(order.due + order.paid)
  const closed = exact(charged - order.total - order.settlement - order.fee + order.written_off)
  const base = { asOrdered: charged === order.total ? null : order.total, closed, charged }
  if (order.due < 0) return { ...base, state: 'refund-due', amount: -order.due }
  if (isLive(order.status)) return { ...base, state: 'due', amount: order.due }
  const refunded = exact(order.payments.reduce((sum, { kind, amount }) => (kind === 'refund' ? sum - amount : sum), 0))
  return { ...base, state: refunded > 0 ? 'refunded' : 'none', amount: refunded }
}

/** The amount that an invoice writes in words: the total charged, or the refund due of an ended order; null for neither. */
export function amountToSpell(totals: OrderTotals, status: OrderJson['status']): number | null {
  if (isLive(status)) return totals.charged
  return totals.state === 'refund-due' ? totals.amount : null
}

/** An amount of taka from JSON. */
export const money = (taka: number, lang: Lang) => formatTaka(takaToPoisha(exact(taka)), lang)

/** The rows between the total as ordered and the total charged: fees retained and write-offs, in taka. */
export function adjustmentRows({
  fee,
  written_off,
}: Pick<OrderJson, 'fee' | 'written_off'>): { key: 'ledger.fee' | 'ledger.write_off'; amount: number }[] {
  const rows = [
    { key: 'ledger.fee', amount: fee },
    { key: 'ledger.write_off', amount: -written_off },
  ] as const
  return rows.filter(({ amount }) => amount !== 0)
}

/** Whether the delivery charge is among the sums: not for products handed over at the counter, at no charge. */
export const namesDelivery = ({ is_over_counter, shipping_cost }: Pick<OrderJson, 'is_over_counter' | 'shipping_cost'>): boolean =>
  !is_over_counter || shipping_cost > 0

/** The name of a discount: its coupon, where one reduced the price of the products. */
export const discountLabel = (t: Translate, coupon: { code: string; discount: number } | null | undefined): string =>
  coupon?.discount ? t('invoice.coupon', coupon) : t('summary.discount')

/** What the coupon of an order took off its delivery charge; null for nothing. */
export const deliveryCouponNote = (t: Translate, lang: Lang, coupon: OrderJson['coupon']): string | null =>
  coupon?.delivery_saved ? t('invoice.coupon-delivery', { code: coupon.code, amount: money(coupon.delivery_saved, lang) }) : null
