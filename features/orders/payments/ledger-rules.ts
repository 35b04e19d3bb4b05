// What the staff enter into the ledger of an order.
//
// Money that came is a row, money that went back is a row with a minus; nothing is changed afterwards. What a bank or a wallet
// took has its transaction number and counts once. More than is due may come, is asked about when somebody types it, and is shown as
// too much until it goes back; more than was paid never goes back. An advance is money before the goods go out.
import { type Poisha, poisha } from '#lib/format/money.ts'
import type { LedgerKind } from '#features/ledger/rules.ts'
import { isLive, type OrderStatus } from '../rules.ts'

export const OFFICE_METHODS = ['cash', 'bank', 'bkash', 'nagad'] as const
export type AdminMethod = (typeof OFFICE_METHODS)[number]

/** What kind of row a payment is, by when and how it came. */
export function paymentKind(status: OrderStatus, method: AdminMethod): LedgerKind {
  if (status === 'placed' || status === 'processing') return 'advance'
  return method === 'cash' ? 'cash_on_delivery' : 'counter'
}

/** The part of an amount that exceeds the amount due. */
export function tooMuchOf(amount: Poisha, due: Poisha): Poisha {
  return poisha(Math.max(0, amount - Math.max(0, due)))
}

/** The state of an order's money by its amount due: settled, due, overpaid, or to be refunded because the order has ended. */
export function moneyStanding(order: { status: OrderStatus; due: Poisha }): 'settled' | 'due' | 'overpaid' | 'to-refund' {
  if (order.due === 0) return 'settled'
  if (!isLive(order.status)) return order.due < 0 ? 'to-refund' : 'settled'
  return order.due < 0 ? 'overpaid' : 'due'
}
