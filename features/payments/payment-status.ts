import type { AttemptState } from './queries.server.ts'
import { isEnded, type OrderMoney } from '#features/ledger/rules.ts'

/** What the invoice says about the money: nothing to pay online, paid, looked at by people, being waited for, failed, over. */
export type PaymentStatus = 'none' | 'paid' | 'review' | 'pending' | 'failed' | 'ended'

/** The state of an order's online payment; `attempts` newest first. */
export function paymentStatus(order: OrderMoney, attempts: readonly { state: AttemptState }[]): PaymentStatus {
  if (order.payablePoisha === 0) return 'none'
  if (order.paidPoisha >= order.payablePoisha) return 'paid'
  if (attempts.some((one) => one.state === 'review')) return 'review'
  if (isEnded(order.status)) return 'ended'
  const latest = attempts[0]
  if (!latest) return 'none'
  return ['failed', 'expired', 'refused'].includes(latest.state) ? 'failed' : 'pending'
}
