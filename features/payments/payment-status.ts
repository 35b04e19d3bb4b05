import { isEnded, type OrderMoney } from '#features/ledger/rules.ts'

/** The states of one visit to a gateway. */
export const ATTEMPT_STATES = ['initiated', 'pending', 'paid', 'failed', 'expired', 'review', 'refused'] as const
export type AttemptState = (typeof ATTEMPT_STATES)[number]

/** The states of an attempt whose payment page is open, without a result. */
export const OPEN_ATTEMPT_STATES: readonly AttemptState[] = ['initiated', 'pending']

/**
 * The online payment of an order. `none`: nothing to pay online. `review`: staff decide about a payment. `pending`: a payment page is open.
 * `ended`: the order is cancelled or returned.
 */
export const PAYMENT_STATUSES = ['none', 'paid', 'review', 'pending', 'failed', 'ended'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** The state of an order's online payment; `attempts` newest first. */
export function paymentStatus(order: OrderMoney, attempts: readonly { state: AttemptState; isRest: boolean }[]): PaymentStatus {
  const isRestOpen = attempts[0]?.isRest && OPEN_ATTEMPT_STATES.includes(attempts[0].state)
  if (isRestOpen && !isEnded(order.status) && order.duePoisha > 0) return 'pending'
  if (order.payablePoisha === 0) return 'none'
  if (order.paidPoisha >= order.payablePoisha) return 'paid'
  if (attempts.some((one) => one.state === 'review')) return 'review'
  if (isEnded(order.status)) return 'ended'
  const latest = attempts[0]
  if (!latest) return 'none'
  return ['failed', 'expired', 'refused'].includes(latest.state) ? 'failed' : 'pending'
}
