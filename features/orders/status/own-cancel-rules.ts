// When customers may cancel by themselves.
//
// As long as nobody has begun to prepare the order and no money of theirs is in it or on its way. Money that was sent, even if
// nobody has checked it yet, is talked about by phone: it has to go back.
import { dhakaDate } from '#lib/format/time.ts'
import type { OrderJson } from '../types.ts'

export type CancelObstacle = 'ended' | 'on-its-way' | 'paid' | 'advance-checking' | 'payment-review'

/** Why its customer cannot cancel this order; null when he can. A gateway may still know of money: the command asks it. */
export function cancelObstacle(
  order: Pick<OrderJson, 'status' | 'paid' | 'attempt' | 'advances' | 'first_delivery_on'>,
  today = dhakaDate(new Date()),
): CancelObstacle | null {
  if (order.status === 'cancelled' || order.status === 'returned') return 'ended'
  if (order.status !== 'placed') return 'on-its-way'
  // The first of two deliveries may have come already.
  if (order.first_delivery_on !== null && order.first_delivery_on <= today) return 'on-its-way'
  if (order.paid !== 0) return 'paid'
  if (order.advances.some((advance) => advance.state !== 'refused')) return 'advance-checking'
  return order.attempt?.state === 'review' ? 'payment-review' : null
}

/** The reason of an order whose goods went back to the cart; for buyer and staff alike, in both languages. */
export const CHANGED_REASON = 'Changed by the customer · ক্রেতা অর্ডারটি বদলেছেন'

export type ChangeObstacle = CancelObstacle | 'nothing-awaited'

/** Why the payment method or the goods of this order cannot be changed by its buyer; null while it awaits a payment that nobody works on. */
export function changeObstacle(
  order: Pick<OrderJson, 'status' | 'paid' | 'attempt' | 'advances' | 'first_delivery_on' | 'is_free_order' | 'payment_type'>,
): ChangeObstacle | null {
  const isAwaited = !order.is_free_order && order.payment_type !== 'cash_on_delivery'
  return cancelObstacle(order) ?? (isAwaited ? null : 'nothing-awaited')
}
