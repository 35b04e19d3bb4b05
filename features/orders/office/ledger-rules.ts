// What the staff enter into the ledger of an order.
//
// Money that came is a row, money that went back is a row with a minus; nothing is changed afterwards. What a bank or a wallet
// took has its transaction number and counts once. More than is due may come, is asked about when somebody types it, and is shown as
// too much until it goes back; more than was paid never goes back. An advance is money before the goods go out.
import { type Poisha, poisha } from '#lib/money.ts'
import type { LedgerKind } from '../types.ts'
import { isLive, type OrderStatus } from '../rules.ts'

export const OFFICE_METHODS = ['cash', 'bank', 'bkash', 'nagad'] as const
export type OfficeMethod = (typeof OFFICE_METHODS)[number]

/** What kind of row a payment is, by when and how it came. */
export function paymentKind(status: OrderStatus, method: OfficeMethod): LedgerKind {
  if (status === 'placed' || status === 'processing') return 'advance'
  return method === 'cash' ? 'cash_on_delivery' : 'counter'
}

/** How much of an amount is more than the order still has to get; an order that has ended has to get nothing. */
export function tooMuchOf(amount: Poisha, order: { status: OrderStatus; total: Poisha; paid: Poisha }): Poisha {
  const due = isLive(order.status) ? Math.max(0, order.total - order.paid) : 0
  return poisha(Math.max(0, amount - due))
}

/** How an order's money stands: nothing to do, still to come, too much, or to go back because the order has ended. */
export function moneyStanding(order: { status: OrderStatus; total: Poisha; paid: Poisha }): 'settled' | 'due' | 'overpaid' | 'to-refund' {
  if (!isLive(order.status)) return order.paid > 0 ? 'to-refund' : 'settled'
  if (order.paid > order.total) return 'overpaid'
  return order.paid < order.total ? 'due' : 'settled'
}

/**
 * What an order has become dearer by (below zero: cheaper) since it was written, by weighings and goods that came back, in taka. It
 * stands in the ledger with the other sign, and is no money that came or went.
 */
export function changedSince(rows: readonly { kind: LedgerKind; amount: number }[]): number {
  const change = rows.reduce((sum, { kind, amount }) => (kind === 'settlement' ? sum - Math.round(amount * 100) : sum), 0)
  return change / 100
}
