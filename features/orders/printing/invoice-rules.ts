// What an invoice says about its money and its way, in the words of its buyer.
//
// Nothing is called paid before the ledger says so. Money that is on its way is waited for; a payment that failed can be made again
// while the order is kept; an advance by hand is first awaited, then checked.
import { CHANGED_REASON } from '../status/own-cancel-rules.ts'
import type { OrderJson } from '../types.ts'

/**
 * `waiting`: a payment page was opened, and nothing is known of it yet. `refused`: the staff refused the latest payment. `abandoned`: the payer
 * cancelled it at the gateway.
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

/** How the money of an order stands. */
export function invoicePaymentState(order: OrderJson): InvoicePaymentState {
  if (order.status === 'cancelled' || order.status === 'returned') return 'closed'
  if (order.is_free_order) return 'free'
  if (order.due <= 0) return 'paid'
  if (order.attempt?.state === 'review') return 'review'
  if (order.payment_type === 'cash_on_delivery') return order.paid > 0 ? 'part' : 'cod'
  if (order.paid >= order.payable) return 'part'
  if (order.advances.some((advance) => advance.state === 'waiting')) return 'advance-checking'
  if (order.payment_gateway === 'NONE') return 'advance'
  if (order.attempt?.state === 'refused') return 'refused'
  if (order.attempt?.is_cancelled) return 'abandoned'
  return order.attempt?.state === 'initiated' || order.attempt?.state === 'pending' ? 'waiting' : 'failed'
}

const AWAITING: readonly InvoicePaymentState[] = ['review', 'waiting', 'failed', 'abandoned', 'refused', 'advance', 'advance-checking']

/** Whether the order is not certain yet because its payment has not come: no delivery day is promised. */
export function isAwaitingPayment(order: OrderJson): boolean {
  return order.status === 'placed' && AWAITING.includes(invoicePaymentState(order))
}

/** Whether an order is shown as placed: certain, or booked by an advance that its buyer sends. */
export function isConfirmed(order: OrderJson): boolean {
  const standing = invoicePaymentState(order)
  return standing === 'advance' || standing === 'advance-checking' || (standing !== 'closed' && !AWAITING.includes(standing))
}

/** The part of the amount due that is payable now, in taka: the rest of what was promised when ordering, never above the amount due. */
export function payableNow(order: Pick<OrderJson, 'payable' | 'paid' | 'due'>): number {
  return Math.max(0, Math.min(order.due, Math.round((order.payable - order.paid) * 100) / 100))
}

/** Whether a code on its phone would keep the order longer: its advance is to be sent by hand, and nobody has reported it. */
export function canConfirmPhone(order: OrderJson): boolean {
  return invoicePaymentState(order) === 'advance' && order.status === 'placed' && order.expires_at !== null && !order.phone_verified
}

/** Answer of GET /payments/status. */
export interface PaymentStatus {
  order_status: string
  payment: 'none' | 'paid' | 'review' | 'pending' | 'failed' | 'ended'
  payable_amount: number
  paid_amount: number
  due_amount: number
  expires_at: string | null
}

/** The taka that an order in its waiting time still has to be paid on a payment page; 0 when it does not wait for one. */
export function awaitedOnline(status: PaymentStatus): number {
  const isAwaited = status.order_status === 'placed' && (status.payment === 'pending' || status.payment === 'failed')
  return isAwaited && status.expires_at !== null
    ? payableNow({ payable: status.payable_amount, paid: status.paid_amount, due: status.due_amount })
    : 0
}

/** Whether the shop knows more of an awaited payment than the page shows. */
export function hasNews(order: OrderJson, status: PaymentStatus): boolean {
  return status.payment !== 'pending' || status.order_status !== order.status || status.paid_amount !== order.paid
}

/** Whether the order was cancelled because its money did not come. */
export function hasExpired(order: OrderJson): boolean {
  return order.status === 'cancelled' && order.events.some((event) => event.kind === 'expired')
}

/** The reason of a cancelled order as a person wrote it; null where the shop has its own words, or the buyer took the goods back. */
export function writtenReason(order: OrderJson): string | null {
  return hasExpired(order) || order.reason === CHANGED_REASON ? null : order.reason
}

const KNOWN_EVENTS = {
  'payment-received': 'order-event.payment',
  'payment-failed': 'order-event.payment-failed',
  'payment-cancelled': 'order-event.payment-cancelled',
  'payment-method-changed': 'order-event.payment-method-changed',
  'payment-refused': 'order-event.payment-refused',
  'refund-done': 'order-event.refunded',
  'advance-reported': 'order-event.advance-reported',
  'advance-verified': 'order-event.advance-verified',
  'advance-refused': 'order-event.advance-refused',
  'phone-proven': 'order-event.phone-proven',
  settled: 'order-event.settled',
} as const

type EventText = (typeof KNOWN_EVENTS)[keyof typeof KNOWN_EVENTS] | `order-status.${OrderJson['status']}`

/** What has happened, as keys of messages, oldest first; what only the admin wonders about is left out. */
export function timeline(order: OrderJson): { at: string; text: EventText }[] {
  return order.events.flatMap(({ at, kind, to_status }) => {
    const text =
      to_status === null
        ? Object.hasOwn(KNOWN_EVENTS, kind)
          ? KNOWN_EVENTS[kind as keyof typeof KNOWN_EVENTS]
          : null
        : (`order-status.${to_status}` as const)
    return text === null ? [] : [{ at, text }]
  })
}
