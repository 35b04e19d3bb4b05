// Rules for payments and refunds that staff record.
//
// A payment is a positive entry, a refund a negative one; entries never change. Payments by bank or wallet have a unique transaction id. A
// payment above the amount due needs a confirmation, unless it pays what was written off. A refund is limited to the money received, and to the
// refund due while an overpayment is written off. A payment before the order is sent is an advance.
import { type Poisha, poisha } from '#lib/format/money.ts'
import type { LedgerKind, OrderMoney } from '#features/ledger/rules.ts'
import { isHandedOver, isLive, isToSend, type OrderStatus } from '../rules.ts'
import { ADVANCE_METHODS } from '../types.ts'

export const ADMIN_METHODS = ['cash', ...ADVANCE_METHODS] as const
export type AdminMethod = (typeof ADMIN_METHODS)[number]

interface PaidOrder {
  status: OrderStatus
  isPaidAtFarm: boolean
}

/** The ledger kind of a payment, by the order and the method. */
export function paymentKind(order: PaidOrder, method: AdminMethod): LedgerKind {
  if (isToSend(order.status)) return 'advance'
  return method === 'cash' ? cashKind(order) : 'counter'
}

/** The ledger kind of cash for an order that was sent: nobody brings it with the delivery of an order that has ended, is collected or had none. */
export function cashKind({ status, isPaidAtFarm }: PaidOrder): LedgerKind {
  return isPaidAtFarm || !isLive(status) ? 'counter' : 'cash_on_delivery'
}

/** The state of an order's money by its amount due: settled, due, overpaid, or to be refunded because the order has ended. */
export function ledgerState(order: { status: OrderStatus; due: Poisha }): 'settled' | 'due' | 'overpaid' | 'to-refund' {
  if (order.due === 0) return 'settled'
  if (!isLive(order.status)) return order.due < 0 ? 'to-refund' : 'settled'
  return order.due < 0 ? 'overpaid' : 'due'
}

/** The amount due while a gateway makes refunds that are not in it yet: below zero, what is left to refund. */
export function dueLeft(due: Poisha, underWay: Poisha): Poisha {
  return due < 0 ? poisha(Math.min(0, due + underWay)) : due
}

/** Whether staff may keep a fee: money is to be refunded because the order has ended, or because products came back. */
export function canKeepFee(order: { status: OrderStatus; duePoisha: Poisha; hasReturns: boolean }): boolean {
  return order.duePoisha < 0 && (!isLive(order.status) || order.hasReturns)
}

/** Whether staff may write off the amount due of a delivered order, or the refund due of a delivered or ended one. */
export function canWriteOff({ status, duePoisha }: { status: OrderStatus; duePoisha: Poisha }): boolean {
  return duePoisha !== 0 && (isHandedOver(status) || (duePoisha < 0 && !isLive(status)))
}

/** `nothing-paid` and `more-than-paid`: above the money received. `overpayment-written-off`: above what the shop does not keep of it. */
export type RefundLimitError = 'nothing-paid' | 'more-than-paid' | 'overpayment-written-off'

/** Why an amount may not be paid back; null when it may. `underWay`: refunds that a gateway has not accepted yet. */
export function refundLimitError(
  amount: Poisha,
  { refundablePoisha, writtenOffPoisha }: Pick<OrderMoney, 'refundablePoisha' | 'writtenOffPoisha'>,
  underWay: Poisha,
): RefundLimitError | null {
  if (amount <= refundablePoisha - underWay) return null
  if (writtenOffPoisha < 0) return 'overpayment-written-off'
  return refundablePoisha <= 0 ? 'nothing-paid' : 'more-than-paid'
}
