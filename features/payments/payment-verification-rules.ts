// What the shop makes of money that a gateway says it took.
//
// Only the exact sum, in taka, for this very attempt and this very shop is a payment. Money in another sum or currency is real but
// not what was asked for: people look at it. A payment that the gateway itself calls risky waits for people, too. A payment of
// somebody else's attempt is no payment of this one. Money that comes for an order already paid, or no longer wanted, is kept in
// the books and shown to the staff, who send it back.
import type { AttemptRef, PaidOutcome } from './gateway.ts'
import type { Poisha } from '#lib/format/money.ts'

export type VerificationResult = 'accept' | 'review' | 'mismatch' | 'foreign'

/** Whether what the gateway took is what the attempt asked for. */
export function verifyPayment(paid: PaidOutcome, attempt: AttemptRef): VerificationResult {
  if (paid.tranId !== attempt.tranId || !paid.ours) return 'foreign'
  if (paid.currency !== 'BDT' || paid.amountPoisha !== attempt.amountPoisha) return 'mismatch'
  return paid.risky ? 'review' : 'accept'
}

/** Why the staff must look at an order: `orders.needs_attention`. */
export type Attention = 'paid-after-end' | 'paid-twice' | 'payment-mismatch' | 'risky-payment'

/**
 * `payablePoisha`: promised when ordering, at most the total as settled by weighings and returns. `paidPoisha`: money received less refunds.
 * `duePoisha`: the amount due (SQL `amount_due`), below zero when money is to be refunded.
 */
export type OrderMoney = { status: string; payablePoisha: Poisha; paidPoisha: Poisha; duePoisha: Poisha }

const ENDED = ['cancelled', 'returned']

export const isEnded = (status: string) => ENDED.includes(status)

/** What is wrong with taking an accepted payment for this order, as its books stood before; null when nothing is. */
export function attentionFor(order: OrderMoney): Attention | null {
  if (isEnded(order.status)) return 'paid-after-end'
  return order.paidPoisha > 0 && order.paidPoisha >= order.payablePoisha ? 'paid-twice' : null
}

/** The sum payable online: the rest of the promised part, never above the amount due. */
export function stillPayable(order: OrderMoney): Poisha {
  return Math.max(0, Math.min(order.duePoisha, order.payablePoisha - order.paidPoisha)) as Poisha
}

/** Whether the animals of an order are sold: its full price is paid, or their advances are (where there is an advance). */
export function animalsAreSold(order: OrderMoney, advancesPoisha: Poisha): boolean {
  return order.duePoisha <= 0 || (advancesPoisha > 0 && order.paidPoisha >= advancesPoisha)
}
