// Verifies payments that gateways report against the attempts, and derives their effect on the order.
//
// A payment is accepted when sum, currency, attempt and shop match. Another sum or currency, and a payment that the gateway calls risky, wait
// for a review by the staff. A payment of another attempt is rejected. Money for a paid or ended order enters the ledger and flags the order.
import { type AttentionFlag, isEnded, type OrderMoney } from '#features/ledger/rules.ts'
import type { AttemptRef, PaidOutcome } from './gateway.ts'
import type { Poisha } from '#lib/format/money.ts'

export type VerificationResult = 'accept' | 'review' | 'mismatch' | 'wrong-attempt'

/** Compares a reported payment with its attempt. */
export function verifyPayment(paid: PaidOutcome, attempt: AttemptRef): VerificationResult {
  if (paid.tranId !== attempt.tranId || !paid.isOurs) return 'wrong-attempt'
  if (paid.currency !== 'BDT' || paid.amountPoisha !== attempt.amountPoisha) return 'mismatch'
  return paid.isRisky ? 'review' : 'accept'
}

/** Why an accepted payment needs the staff, by the order's sums before it; null when it does not. */
export function attentionFor(order: OrderMoney, { isRest }: { isRest: boolean }): AttentionFlag | null {
  if (isEnded(order.status)) return 'paid-after-end'
  return hasPromisedPayment(order) && !(isRest && order.duePoisha > 0) ? 'paid-twice' : null
}

type Sums = Pick<OrderMoney, 'payablePoisha' | 'paidPoisha' | 'duePoisha'>

/** Whether the payment that was promised with the order has come. False for cash on delivery without any payment. */
const hasPromisedPayment = ({ paidPoisha, payablePoisha }: Sums) => paidPoisha > 0 && paidPoisha >= payablePoisha

/** The sum payable online: the rest of the promised part, never above the amount due. */
export function stillPayable(order: Sums): Poisha {
  return Math.max(0, Math.min(order.duePoisha, order.payablePoisha - order.paidPoisha)) as Poisha
}

/** The rest, which may be paid online too: the amount due of an order whose promised payment has come. */
export function restPayable(order: Sums): Poisha {
  return (hasPromisedPayment(order) ? Math.max(0, order.duePoisha) : 0) as Poisha
}

/** The sum that a payment page of the order may ask for. */
export function pagePayable(order: Sums, { isRest }: { isRest: boolean }): Poisha {
  return isRest ? restPayable(order) : stillPayable(order)
}
