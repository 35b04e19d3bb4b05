import type { PaymentDeps } from '#features/payments/deps.ts'
import { MAX_FAILURE_LENGTH, type PaidOutcome, type PaymentOutcome } from '#features/payments/gateway.ts'
import { OPEN_ATTEMPT_STATES } from '#features/payments/payment-status.ts'
import { recordGatewayPayment } from './record-payment.server.ts'
import { addGatewayOrderEvent, claimGatewayEvent } from './gateway-events.server.ts'
import { holdAfterRejection, holdExtra, holdForReview } from './hold-payment.server.ts'
import { lockOrderRow, type Attempt } from '#features/payments/queries.server.ts'
import { verifyPayment } from '#features/payments/payment-verification-rules.ts'
import { inTransaction } from '#lib/db/db.server.ts'
import { truncate } from '#lib/format/text.ts'

/** The status of an attempt after a response of its gateway. `refused`: it concerned another attempt, or the staff have rejected it. */
export type AttemptStatus = 'paid' | 'review' | 'refused' | 'failed' | 'in-flight' | 'waiting' | 'unknown'

/** Records the outcome that a gateway reports for an attempt. `unknown` and `pending` write nothing. Idempotent. */
export async function recordOutcome(deps: PaymentDeps, attempt: Attempt, outcome: PaymentOutcome): Promise<AttemptStatus> {
  switch (outcome.state) {
    case 'unknown':
      deps.log.warn({ orderId: attempt.orderId, gateway: attempt.gateway, detail: outcome.detail }, 'payment state is unknown')
      return 'unknown'
    case 'pending':
      return outcome.inFlight ? 'in-flight' : 'waiting'
    case 'failed':
      await recordFailure(deps, attempt, outcome)
      return 'failed'
    case 'paid':
      return recordPaid(deps, attempt, outcome)
  }
}

/** Queries the gateway for the attempt and records the outcome. Moves no money. */
export async function queryGateway(deps: PaymentDeps, attempt: Attempt): Promise<AttemptStatus> {
  const gateway = deps.gateways[attempt.gateway]
  return gateway ? recordOutcome(deps, attempt, await gateway.query(attempt)) : 'unknown'
}

/** `failure` of an attempt that its payer cancelled at the gateway. */
const CANCELLED_BY_PAYER = 'cancelled'

async function recordFailure(
  deps: PaymentDeps,
  attempt: Attempt,
  { reason: stated, isCancelled = false }: Extract<PaymentOutcome, { state: 'failed' }>,
): Promise<void> {
  const reason = truncate(stated, MAX_FAILURE_LENGTH)
  const failure = isCancelled ? CANCELLED_BY_PAYER : reason
  await inTransaction(deps.db, async (tx) => {
    // Lock order: the order before its attempt.
    await lockOrderRow(tx, attempt.orderId)
    const { numUpdatedRows } = await tx
      .updateTable('payment_attempts')
      .set({ state: 'failed', failure, updated_at: deps.now() })
      .where('id', '=', attempt.id)
      .where('state', 'in', OPEN_ATTEMPT_STATES)
      .executeTakeFirst()
    if (numUpdatedRows === 1n)
      await addGatewayOrderEvent(tx, attempt, isCancelled ? 'payment-cancelled' : 'payment-failed', { reason }, deps.now())
  })
}

async function recordPaid(deps: PaymentDeps, attempt: Attempt, paid: PaidOutcome): Promise<AttemptStatus> {
  const verification = verifyPayment(paid, attempt)
  if (verification === 'accept') {
    if ((await recordGatewayPayment(deps, attempt, paid)) !== 'recorded') return holdAfterRejection(deps, attempt, paid)
    await holdExtra(deps, attempt, paid)
    return 'paid'
  }
  deps.log.warn({ orderId: attempt.orderId, gateway: attempt.gateway, eventId: paid.eventId, verification }, 'payment not accepted')
  if (verification === 'wrong-attempt') {
    await recordForeign(deps, attempt, paid)
    return 'refused'
  }
  if (attempt.state === 'refused') return holdAfterRejection(deps, attempt, paid)
  const isHeld = await holdForReview(deps, attempt, paid, verification === 'review' ? 'risky-payment' : 'payment-mismatch')
  if (isHeld) return 'review'
  await recordGatewayPayment(deps, attempt, paid)
  await holdExtra(deps, attempt, paid)
  return 'paid'
}

/** Records a payment of another attempt as an event of the order. The key is its own, so the other attempt can still record the payment. */
async function recordForeign(deps: PaymentDeps, attempt: Attempt, paid: PaidOutcome): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if (
      await claimGatewayEvent(tx, attempt, {
        eventId: `foreign:${attempt.tranId}:${paid.eventId}`,
        outcome: 'foreign',
        detail: paid,
        at: deps.now(),
      })
    ) {
      await addGatewayOrderEvent(tx, attempt, 'payment-foreign', { eventId: paid.eventId, tranId: paid.tranId }, deps.now())
    }
  })
}
