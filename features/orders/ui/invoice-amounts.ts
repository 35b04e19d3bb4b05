import type { Lang } from '#lib/i18n/lang.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { isLive } from '../rules.ts'
import type { OrderJson } from '../types.ts'

/** Taka rounded to poisha. */
const exact = (taka: number) => Math.round(taka * 100) / 100

/** Taka that goods which came back cost less: zero or below. What weighings have changed is not counted. */
export function returnedWorth(order: OrderJson): number {
  const weighed = order.settlements.reduce((sum, one) => sum + one.difference * 100, 0)
  return Math.round(order.settlement * 100 - weighed) / 100
}

/** What an order comes to, in taka. `charged` - `paid` is always the amount due. */
export interface OrderTotals {
  /** The total when ordered; null when nothing has changed it. */
  asOrdered: number | null
  /** The part of the total that a cancelled or returned order no longer charges: zero or below. */
  closed: number
  charged: number
  /** `refunded`: a closed order whose money went back. `none`: a closed order that nobody paid for. */
  standing: 'due' | 'refund-due' | 'refunded' | 'none'
  /** The sum of `standing`, zero or above. */
  amount: number
}

/** The totals of an order after final weighings, returns and cancelling. Derived from the amount due, so they agree with the ledger. */
export function orderTotals(
  order: Pick<OrderJson, 'status' | 'total' | 'settlement' | 'paid' | 'due'> & { payments: readonly { kind: string; amount: number }[] },
): OrderTotals {
  const charged = exact(order.due + order.paid)
  const closed = exact(charged - order.total - order.settlement)
  const base = { asOrdered: charged === order.total ? null : order.total, closed, charged }
  if (order.due < 0) return { ...base, standing: 'refund-due', amount: -order.due }
  if (isLive(order.status)) return { ...base, standing: 'due', amount: order.due }
  const refunded = exact(order.payments.reduce((sum, { kind, amount }) => (kind === 'refund' ? sum - amount : sum), 0))
  return { ...base, standing: refunded > 0 ? 'refunded' : 'none', amount: refunded }
}

/** The sum that an invoice writes in words: the total charged; of a closed order the refund due, if any. */
export function amountToSpell(totals: OrderTotals, status: OrderJson['status']): number | null {
  if (isLive(status)) return totals.charged
  return totals.standing === 'refund-due' ? totals.amount : null
}

/** An amount of taka from JSON. */
export const money = (taka: number, lang: Lang) => formatTaka(takaToPoisha(exact(taka)), lang)
