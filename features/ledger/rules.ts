// The money of an order. Every sum comes from the ledger entries. SQL `amount_due(orders)` is the only definition of the amount due.
import { type Poisha, poisha } from '#lib/format/money.ts'

/**
 * `settlement` and `return`: a price change by a final weighing, or by returned products; negative raises the price. `fee`: retained from a
 * refund, negative. `write_off`: an amount due that will not be paid, positive, or a refund that cannot be given back, negative. An entry of
 * the opposite sign reverses a fee or write-off. `refund`: money paid back, always negative. `rounding`: the part of a cash payment or refund
 * that was rounded away; positive where less was paid or more was given back. All other kinds are money received.
 */
export type LedgerKind =
  | 'advance'
  | 'gateway'
  | 'cash_on_delivery'
  | 'counter'
  | 'settlement'
  | 'return'
  | 'rounding'
  | 'refund'
  | AdjustmentKind

/** Changes of what an order costs that staff decide, without products or money. */
export const ADJUSTMENT_KINDS = ['fee', 'write_off'] as const
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number]

/** The kinds that change what an order costs. All others are money, roundings included: with them it adds up to the exact sum. */
export const PRICE_KINDS: readonly LedgerKind[] = ['settlement', 'return', ...ADJUSTMENT_KINDS]

/**
 * `payablePoisha`: the amount to pay when ordering, at most the total after weighings and returns. `paidPoisha`: money received less refunds.
 * `duePoisha`: the amount due (SQL `amount_due`), negative when a refund is due. `refundablePoisha`: the most that may be paid back (SQL
 * `amount_refundable`): money received without fees retained; while an overpayment is written off, the refund due. `feePoisha` and `writtenOffPoisha`: the sums of both
 * kinds; a write-off below zero retained an overpayment.
 */
export interface OrderMoney {
  status: string
  payablePoisha: Poisha
  paidPoisha: Poisha
  duePoisha: Poisha
  refundablePoisha: Poisha
  feePoisha: Poisha
  writtenOffPoisha: Poisha
}

/** Why the staff must look at the money of an order: the values of `orders.needs_attention`. */
export const ATTENTION_FLAGS = [
  'paid-after-end',
  'paid-twice',
  'payment-mismatch',
  'risky-payment',
  'refund-failed',
  'recorded-elsewhere',
] as const
export type AttentionFlag = (typeof ATTENTION_FLAGS)[number]

export const ENDED_STATUSES = ['cancelled', 'returned'] as const

/** Whether an order is cancelled or returned. An ended order owes nothing, and money received is to be refunded. */
export const isEnded = (status: string): boolean => ENDED_STATUSES.some((ended) => ended === status)

/** Whether the animals of an order are sold: the full price is paid, or all advances are paid where there are any. */
export function animalsAreSold({ duePoisha, paidPoisha }: Pick<OrderMoney, 'duePoisha' | 'paidPoisha'>, advancesPoisha: Poisha): boolean {
  return duePoisha <= 0 || (advancesPoisha > 0 && paidPoisha >= advancesPoisha)
}

/** The part of an amount that exceeds the amount due. */
export function excessOf(amount: Poisha, due: Poisha): Poisha {
  return poisha(Math.max(0, amount - Math.max(0, due)))
}

/**
 * The part of a payment beyond the amount due that was written off before: the customer pays it after all, so that much of the write-off is
 * reversed.
 */
export function recoveredOf(amount: Poisha, { due, writtenOff }: { due: Poisha; writtenOff: Poisha }): Poisha {
  return poisha(Math.min(excessOf(amount, due), Math.max(0, writtenOff)))
}

/** What a customer may still owe on account; zero beyond the limit. */
export function creditLeft({ limit, owed }: { limit: Poisha; owed: Poisha }): Poisha {
  return poisha(Math.max(0, limit - owed))
}
