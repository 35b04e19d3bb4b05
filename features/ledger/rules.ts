// The money of an order. Every sum comes from its ledger entries; SQL `amount_due(orders)` is the only definition of the amount due.
import type { Poisha } from '#lib/format/money.ts'

/**
 * `settlement`: changes what the order costs, by a final weighing or a return; below zero it costs more. `refund`: money paid back, below
 * zero. All other kinds are money received.
 */
export type LedgerKind = 'advance' | 'gateway' | 'cash_on_delivery' | 'counter' | 'settlement' | 'refund'

/**
 * `payablePoisha`: promised when ordering, at most the total as settled by weighings and returns. `paidPoisha`: money received less refunds.
 * `duePoisha`: the amount due (SQL `amount_due`), below zero when money is to be refunded.
 */
export interface OrderMoney {
  status: string
  payablePoisha: Poisha
  paidPoisha: Poisha
  duePoisha: Poisha
}

const ENDED = ['cancelled', 'returned']

/** Whether an order is cancelled or returned: then nothing is due, and what was paid is to be refunded. */
export const isEnded = (status: string): boolean => ENDED.includes(status)

/** Whether the animals of an order are sold: its full price is paid, or their advances are (where there is an advance). */
export function animalsAreSold({ duePoisha, paidPoisha }: Pick<OrderMoney, 'duePoisha' | 'paidPoisha'>, advancesPoisha: Poisha): boolean {
  return duePoisha <= 0 || (advancesPoisha > 0 && paidPoisha >= advancesPoisha)
}
