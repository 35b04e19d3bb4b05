// Decides when customers may cancel or change their orders.
//
// They may while the order is not prepared, nothing is paid, and no payment is being checked. With money involved they must call the shop,
// because it has to be refunded.
import { OPEN_ATTEMPT_STATES } from '#features/payments/payment-status.ts'
import { shopToday } from '#lib/format/time.ts'
import { hasFirstDeliveryCome, isLive } from '../rules.ts'
import type { OrderJson } from '../types.ts'

export type CancelBlock = 'ended' | 'on-its-way' | 'paid' | 'advance-checking' | 'payment-review'

/** The reason why its customer cannot cancel the order; null when nothing blocks it. The command queries the gateway as well. */
export function findCancelBlock(
  order: Pick<OrderJson, 'status' | 'paid' | 'attempt' | 'advances' | 'first_delivery_on'>,
  today = shopToday(),
): CancelBlock | null {
  if (!isLive(order.status)) return 'ended'
  if (order.status !== 'placed') return 'on-its-way'
  if (hasFirstDeliveryCome(order, today)) return 'on-its-way'
  if (order.paid !== 0) return 'paid'
  if (order.advances.some((advance) => advance.state !== 'refused')) return 'advance-checking'
  return order.attempt?.state === 'review' ? 'payment-review' : null
}

/** Whether a payment page is open, without a result. After `checkBeforeExpiry`: one that was opened meanwhile, as in another tab. */
export const hasOpenAttempt = ({ attempt }: Pick<OrderJson, 'attempt'>) => attempt !== null && OPEN_ATTEMPT_STATES.includes(attempt.state)

// Reasons that the shop stores itself have both languages: customers and staff read them.

/** That of an order whose products went back to the cart. */
export const CHANGED_REASON = 'Changed by the customer · ক্রেতা অর্ডারটি বদলেছেন'
/** That of an order that was not paid in time. */
export const EXPIRED_REASON = 'Payment not received in time · সময়মতো টাকা পাওয়া যায়নি'

export type ChangeBlock = CancelBlock | 'nothing-awaited'

/** The reason why its customer cannot change payment method or products; null while the order waits for an untouched payment. */
export function findChangeBlock(
  order: Pick<OrderJson, 'status' | 'paid' | 'attempt' | 'advances' | 'first_delivery_on' | 'is_free_order' | 'payment_type'>,
): ChangeBlock | null {
  const isAwaited = !order.is_free_order && order.payment_type !== 'cash_on_delivery'
  return findCancelBlock(order) ?? (isAwaited ? null : 'nothing-awaited')
}
