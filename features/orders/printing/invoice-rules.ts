// The payment state that an invoice shows to its customer.
//
// Only the ledger makes an order paid. An open payment is `waiting`. A failed one can be repeated until the order expires. An advance by hand is
// awaited, then checked.
import type { PaymentStatus } from '#features/payments/payment-status.ts'
import { stillPayable } from '#features/payments/payment-verification-rules.ts'
import { poisha, poishaToTaka, takaToPoisha } from '#lib/format/money.ts'
import { isLive, isToSend } from '../rules.ts'
import { CHANGED_REASON, hasOpenAttempt } from '../status/own-cancel-rules.ts'
import type { OrderJson } from '../types.ts'

/**
 * `waiting`: a payment page is open, without a result. `refused`: staff rejected the latest payment. `abandoned`: the payer cancelled it at the
 * gateway.
 */
export type InvoicePaymentState =
  | 'closed'
  | 'free'
  | 'paid'
  | 'part'
  | 'cod'
  | 'review'
  | 'waiting'
  | 'failed'
  | 'abandoned'
  | 'refused'
  | 'advance'
  | 'advance-checking'

/** The payment state of an order. */
export function invoicePaymentState(order: OrderJson): InvoicePaymentState {
  if (!isLive(order.status)) return 'closed'
  if (order.is_free_order) return 'free'
  if (order.due <= 0) return 'paid'
  if (order.attempt?.state === 'review') return 'review'
  return unpaidState(order)
}

/** The payment state of a live order with an amount due. */
function unpaidState(order: OrderJson): InvoicePaymentState {
  if (isPaidOnDelivery(order)) return atTheDoor(order)
  if (order.paid >= order.payable) return 'part'
  if (order.advances.some((advance) => advance.state === 'waiting')) return 'advance-checking'
  if (order.payment_gateway === 'NONE') return isToSend(order.status) ? 'advance' : atTheDoor(order)
  if (order.attempt?.state === 'refused') return 'refused'
  if (order.attempt?.is_cancelled) return 'abandoned'
  return hasOpenAttempt(order) ? 'waiting' : 'failed'
}

/**
 * Whether nothing is to be paid before the delivery: cash on delivery, a sale of the POS that was left on account, or a free order to which staff
 * have added something. Neither of the last two promised a payment online or an advance.
 */
const isPaidOnDelivery = ({ payment_type, payment_gateway }: Pick<OrderJson, 'payment_type' | 'payment_gateway'>): boolean =>
  payment_type === 'cash_on_delivery' || (payment_type === 'full' && payment_gateway === 'NONE')

/** The state of an order whose amount due is paid on delivery: no booking is left for an advance once the products were sent. */
const atTheDoor = ({ paid }: OrderJson): InvoicePaymentState => (paid > 0 ? 'part' : 'cod')

const AWAITING: readonly InvoicePaymentState[] = ['review', 'waiting', 'failed', 'abandoned', 'refused', 'advance', 'advance-checking']

/** Whether the order still waits for its payment. No delivery date is shown then. */
export function isAwaitingPayment(order: OrderJson): boolean {
  return order.status === 'placed' && !order.attempt?.is_rest && AWAITING.includes(invoicePaymentState(order))
}

/** Whether a payment page for the rest of a paid order is open, without a result. */
export function isRestOpen(order: OrderJson): boolean {
  return order.due > 0 && order.attempt?.is_rest === true && hasOpenAttempt(order)
}

/** Whether an order is shown as placed: its payment has arrived or is not needed yet, or an advance by hand is on its way. */
export function isConfirmed(order: OrderJson): boolean {
  const state = invoicePaymentState(order)
  return state === 'advance' || state === 'advance-checking' || (state !== 'closed' && !AWAITING.includes(state))
}

/** `stillPayable` in taka: the amount payable now. */
export function payableNow({ payable, paid, due }: Pick<OrderJson, 'payable' | 'paid' | 'due'>): number {
  const [payablePoisha, paidPoisha, duePoisha] = [takaToPoisha(payable), takaToPoisha(paid), takaToPoisha(due)]
  return poishaToTaka(stillPayable({ payablePoisha, paidPoisha, duePoisha }))
}

type PaymentSums = Pick<OrderJson, 'payment_type' | 'payment_gateway' | 'payable' | 'paid' | 'due' | 'advance_missing'>

/** The amount in taka to send by hand: what is payable now, or the missing advance of a booking by staff. */
export function advanceToSend(order: PaymentSums): number {
  return (isPaidOnDelivery(order) ? 0 : payableNow(order)) || order.advance_missing
}

/** What is paid later, in taka: the amount due less what is to be sent by hand before the products are sent. */
export function dueLater(order: PaymentSums & Pick<OrderJson, 'status'>): number {
  const now = isToSend(order.status) ? takaToPoisha(advanceToSend(order)) : 0
  return poishaToTaka(poisha(takaToPoisha(order.due) - now))
}

/**
 * The state of an advance by hand: to be sent, or reported and not checked. Null where none is asked for. A booking by staff asks for its
 * missing advance beside its own payment state, which is cash on delivery or a part.
 */
export function advanceState(order: OrderJson): 'advance' | 'advance-checking' | null {
  const state = invoicePaymentState(order)
  if (state === 'advance' || state === 'advance-checking') return state
  if (order.advance_missing === 0) return null
  return order.advances.some((advance) => advance.state === 'waiting') ? 'advance-checking' : 'advance'
}

/** Whether verifying the phone would extend the deadline: the order waits for an advance by hand that is not reported. */
export function canConfirmPhone(order: OrderJson): boolean {
  return invoicePaymentState(order) === 'advance' && order.status === 'placed' && order.expires_at !== null && !order.phone_verified
}

/** Answer of GET /payments/status. */
export interface PaymentStatusJson {
  order_status: string
  payment: PaymentStatus
  payable_amount: number
  paid_amount: number
  due_amount: number
  /** Reported advances that staff have not verified or rejected. */
  waiting_advances: number
  expires_at: string | null
}

/** The amount in taka that an order still waits for on a payment page; 0 when it waits for none. */
export function awaitedOnline(status: PaymentStatusJson): number {
  const isAwaited = status.order_status === 'placed' && (status.payment === 'pending' || status.payment === 'failed')
  return isAwaited && status.expires_at !== null
    ? payableNow({ payable: status.payable_amount, paid: status.paid_amount, due: status.due_amount })
    : 0
}

/** Whether the order was cancelled at its payment deadline. */
export function hasExpired(order: OrderJson): boolean {
  return order.status === 'cancelled' && order.events.some((event) => event.kind === 'expired')
}

/** The reason that a person entered; null for an expired order, and for one whose products went back to the cart. */
export function writtenReason(order: OrderJson): string | null {
  return hasExpired(order) || order.reason === CHANGED_REASON ? null : order.reason
}
