import type { AttentionFlag } from '#features/ledger/rules.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { PaidOutcome } from '#features/payments/gateway.ts'
import { addGatewayOrderEvent, claimGatewayEvent, HELD_PREFIX } from './gateway-events.server.ts'
import { findAttempt, lockOrderRow, type Attempt } from '#features/payments/queries.server.ts'
import { verifyPayment } from '#features/payments/payment-verification-rules.ts'
import { hasRefund } from '#features/payments/refunds/queries.server.ts'
import { inTransaction } from '#lib/db/db.server.ts'

/**
 * Holds a payment for review by the staff. The order does not expire meanwhile. False for another payment in taka under a paid attempt: nothing
 * depends on it, so it belongs in the ledger and flags the order.
 */
export async function holdForReview(deps: PaymentDeps, attempt: Attempt, paid: PaidOutcome, attention: AttentionFlag): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    await lockOrderRow(tx, attempt.orderId)
    if ((await findAttempt(tx, attempt.id))?.state === 'paid' && paid.currency === 'BDT') return false
    const event = { eventId: `${HELD_PREFIX}${paid.eventId}`, outcome: attention, detail: paid, at: deps.now() }
    if (!(await claimGatewayEvent(tx, attempt, event))) return true
    await tx
      .updateTable('payment_attempts')
      .set({ state: 'review', gateway_txn: paid.gatewayTxn, failure: attention, updated_at: deps.now() })
      .where('id', '=', attempt.id)
      .where('state', 'not in', ['paid', 'review', 'refused'])
      .execute()
    await tx
      .updateTable('orders')
      .set((order) => ({
        needs_attention: attention,
        expires_at: null,
        version: order('version', '+', 1),
        updated_at: deps.now(),
      }))
      .where('id', '=', attempt.orderId)
      .execute()
    const detail = { eventId: paid.eventId, amountPoisha: paid.amountPoisha, currency: paid.currency }
    await addGatewayOrderEvent(tx, attempt, attention, detail, deps.now())
    return true
  })
}

/** Holds further payments of a recorded one that are in another currency: no ledger entry can have their amount. */
export async function holdExtra(deps: PaymentDeps, attempt: Attempt, paid: PaidOutcome): Promise<void> {
  for (const one of paid.extra.filter(({ currency }) => currency !== 'BDT'))
    await holdForReview(deps, attempt, { ...paid, ...one, extra: [] }, 'payment-mismatch')
}

/**
 * Holds payments that came on the page of a rejected one: the staff see and refund them. Those that are being refunded since the rejection are left
 * out.
 */
export async function holdAfterRejection(deps: PaymentDeps, attempt: Attempt, paid: PaidOutcome): Promise<'refused'> {
  for (const receipt of [paid, ...paid.extra]) {
    if (await hasRefund(deps.db, attempt.gateway, receipt.gatewayTxn)) continue
    const one = { ...paid, ...receipt, extra: [] }
    await holdForReview(deps, attempt, one, verifyPayment(one, attempt) === 'mismatch' ? 'payment-mismatch' : 'risky-payment')
  }
  return 'refused'
}
