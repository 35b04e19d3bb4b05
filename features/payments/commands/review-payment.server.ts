import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { recordPayment } from './record-payment.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { PaidOutcome, PaymentOutcome } from '#features/payments/gateway.ts'
import { findAttempt, findPayableOrder, type Attempt } from '#features/payments/queries.server.ts'
import type { RefundState } from '#features/payments/refunds/queries.server.ts'
import { writeRefund } from '#features/payments/refunds/request-refund.server.ts'
import { sendRefund } from '#features/payments/refunds/send-refund.server.ts'
import { verifyPayment, stillPayable } from '#features/payments/payment-verification-rules.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { poishaToTaka } from '#lib/format/money.ts'

// A payment that the gateway calls risky, or that came in another sum, waits for the staff (attempt state `review`). They accept or refuse it.

export type ReviewRefusal =
  | 'not-found'
  /** Decided already, by this clerk's second press or by another. */
  | 'not-in-review'
  /** The gateway no longer says that it is paid. */
  | 'not-paid'
  /** The gateway gives no clear answer now; nothing was changed. */
  | 'gateway-silent'
  /** Another currency, or the payment of somebody else. */
  | 'mismatch'

export type AcceptResult = { ok: true; orderId: number } | { ok: false; reason: ReviewRefusal }
export type RefuseResult = { ok: true; orderId: number; refunds: RefundState[] } | { ok: false; reason: ReviewRefusal }

/**
 * Accepts a payment in review: asks the gateway once more, so that a reversed payment is not taken; then ledger entry, animals sold,
 * history, audit log and SMS in one transaction. Credits the sum that came. Of two calls at once one accepts.
 */
export async function acceptPayment(deps: PaymentDeps, attemptId: number, clerk: Actor): Promise<AcceptResult> {
  const found = await askInReview(deps, attemptId)
  if (!found.ok) return found
  const { attempt, outcome } = found
  if (outcome.state === 'failed') return { ok: false, reason: 'not-paid' }
  if (outcome.state !== 'paid') return { ok: false, reason: 'gateway-silent' }
  if (verifyPayment(outcome, attempt) === 'wrong-attempt' || outcome.currency !== 'BDT') return { ok: false, reason: 'mismatch' }
  const isCredited = await recordPayment(deps, attempt, outcome, clerk)
  return isCredited ? { ok: true, orderId: attempt.orderId } : { ok: false, reason: 'not-in-review' }
}

/**
 * Refuses a payment in review and, where the gateway took the money, refunds it through the gateway. Nothing enters the ledger. The order
 * can be paid again and expires as an unpaid one. Of two calls at once one refuses.
 */
export async function refusePaymentInReview(deps: PaymentDeps, attemptId: number, reason: string, clerk: Actor): Promise<RefuseResult> {
  const found = await askInReview(deps, attemptId)
  if (!found.ok) return found
  const { attempt, outcome } = found
  if (outcome.state === 'unknown' || outcome.state === 'pending') return { ok: false, reason: 'gateway-silent' }
  const paid = outcome.state === 'paid' && verifyPayment(outcome, attempt) !== 'wrong-attempt' ? outcome : null
  const settings = await deps.facts.settings()
  const refundIds = await inTransaction(deps.db, async (tx) => {
    await sql`select 1 from orders where id = ${attempt.orderId} for update`.execute(tx)
    const { numAffectedRows } = await sql`update payment_attempts set state = 'refused', failure = ${reason}, updated_at = ${deps.now()}
      where id = ${attemptId} and state = 'review'`.execute(tx)
    if (numAffectedRows !== 1n) return null
    const ids = paid === null ? [] : await writeRefunds(tx, deps, attempt, paid, reason, clerk)
    await reopen(tx, deps, attempt, settings.expiry.paymentMinutes)
    const detail = {
      method: attempt.gateway,
      amount: paid && poishaToTaka(paid.amountPoisha),
      transaction_id: paid?.gatewayTxn ?? null,
      reason,
    }
    await addOrderEvent(tx, attempt.orderId, { kind: 'staff', id: clerk.id }, deps.now(), { kind: 'payment-refused', detail })
    await audit(tx, clerk, { action: 'refused', subject: 'order', id: attempt.orderId, after: detail })
    const sms = {
      orderId: attempt.orderId,
      event: `payment-refused-${attempt.id}`,
      text: settings.messages.paymentRefused,
      more: { reason },
    }
    await queueOrderSms(tx, orderSmsShop(deps.env.publicUrl, settings), sms)
    return ids
  })
  if (refundIds === null) return { ok: false, reason: 'not-in-review' }
  const refunds: RefundState[] = []
  for (const id of refundIds) refunds.push(await sendRefund(deps, id))
  return { ok: true, orderId: attempt.orderId, refunds }
}

async function askInReview(
  deps: PaymentDeps,
  attemptId: number,
): Promise<{ ok: true; attempt: Attempt; outcome: PaymentOutcome } | { ok: false; reason: ReviewRefusal }> {
  const attempt = await findAttempt(deps.db, attemptId)
  if (!attempt) return { ok: false, reason: 'not-found' }
  if (attempt.state !== 'review') return { ok: false, reason: 'not-in-review' }
  const gateway = deps.gateways[attempt.gateway]
  return { ok: true, attempt, outcome: gateway ? await gateway.query(attempt) : { state: 'unknown', detail: 'gateway not configured' } }
}

/** One refund for each payment under the attempt. A sum in another currency cannot be sent back by a call: it is a failed refund. */
async function writeRefunds(
  tx: Db,
  deps: PaymentDeps,
  attempt: Attempt,
  paid: PaidOutcome,
  reason: string,
  clerk: Actor,
): Promise<number[]> {
  const ids: number[] = []
  const failure = paid.currency === 'BDT' ? null : `paid in ${paid.currency.slice(0, 10) || 'another currency'}`
  for (const { gatewayTxn, amountPoisha } of [paid, ...paid.extra]) {
    const { id: attemptId, orderId, gateway } = attempt
    const refund = { orderId, attemptId, gateway, gatewayTxn, amountPoisha, reason, inLedger: false, staffId: clerk.id }
    ids.push(await writeRefund(tx, refund, deps.now(), failure))
  }
  if (failure !== null) await sql`update orders set needs_attention = 'refund-failed' where id = ${attempt.orderId}`.execute(tx)
  return ids
}

/** The order is unpaid again: its flag goes unless another payment is in review, and it waits for its money as a new one does. */
async function reopen(tx: Db, deps: PaymentDeps, attempt: Attempt, minutes: number): Promise<void> {
  const order = (await findPayableOrder(tx, attempt.orderId))!
  const waits = order.status === 'placed' && order.paidPoisha === 0 && stillPayable(order) > 0
  const until = waits ? new Date(deps.now().getTime() + minutes * 60_000) : null
  await sql`update orders o set expires_at = ${until}, version = version + 1, updated_at = ${deps.now()},
    needs_attention = case when needs_attention in ('risky-payment', 'payment-mismatch')
      and not exists (select 1 from payment_attempts where order_id = o.id and state = 'review') then null else needs_attention end
    where id = ${order.id}`.execute(tx)
}
