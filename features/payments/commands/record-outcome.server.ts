import { sql } from 'kysely'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { PaidOutcome, PaymentOutcome } from '#features/payments/gateway.ts'
import { recordPayment } from './record-payment.server.ts'
import { addGatewayOrderEvent, claimGatewayEvent } from './gateway-events.server.ts'
import type { Attempt } from '#features/payments/queries.server.ts'
import { verifyPayment, type Attention } from '#features/payments/payment-verification-rules.ts'
import { inTransaction } from '#lib/db/db.server.ts'

/** The state of an attempt after an answer of its gateway. `refused`: the answer was about something else, or the staff have refused it. */
export type Standing = 'paid' | 'review' | 'refused' | 'failed' | 'in-flight' | 'waiting' | 'unknown'

/**
 * Writes down what a gateway answered about an attempt, once, however often and from however many places it comes in.
 * `unknown` and `pending` write nothing. Safe to repeat.
 */
export async function recordOutcome(deps: PaymentDeps, attempt: Attempt, outcome: PaymentOutcome): Promise<Standing> {
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

/** Only looks at how the attempt stands over there, and writes down the answer. */
export async function queryGateway(deps: PaymentDeps, attempt: Attempt): Promise<Standing> {
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
  const reason = stated.slice(0, 300)
  const failure = isCancelled ? CANCELLED_BY_PAYER : reason
  await inTransaction(deps.db, async (tx) => {
    // The order before its attempt, as whoever credits it: its history refers to the order.
    await sql`select 1 from orders where id = ${attempt.orderId} for update`.execute(tx)
    const { numAffectedRows } = await sql`update payment_attempts set state = 'failed', failure = ${failure}, updated_at = ${deps.now()}
      where id = ${attempt.id} and state in ('initiated', 'pending')`.execute(tx)
    if (numAffectedRows === 1n)
      await addGatewayOrderEvent(tx, attempt, isCancelled ? 'payment-cancelled' : 'payment-failed', { reason }, deps.now())
  })
}

async function recordPaid(deps: PaymentDeps, attempt: Attempt, paid: PaidOutcome): Promise<Standing> {
  const judgement = verifyPayment(paid, attempt)
  if (judgement === 'accept') {
    return (await recordPayment(deps, attempt, paid)) ? 'paid' : 'refused'
  }
  deps.log.warn({ orderId: attempt.orderId, gateway: attempt.gateway, eventId: paid.eventId, judgement }, 'payment not accepted')
  if (judgement === 'wrong-attempt') {
    await refuse(deps, attempt, paid)
    return 'refused'
  }
  await hold(deps, attempt, paid, judgement === 'review' ? 'risky-payment' : 'payment-mismatch')
  return 'review'
}

/** Another attempt's payment: an alarm in the history, and nothing that could block the payment it belongs to. */
async function refuse(deps: PaymentDeps, attempt: Attempt, paid: PaidOutcome): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    if (await claimGatewayEvent(tx, attempt, `foreign:${attempt.tranId}:${paid.eventId}`, 'foreign', paid, deps.now())) {
      await addGatewayOrderEvent(tx, attempt, 'payment-foreign', { eventId: paid.eventId, tranId: paid.tranId }, deps.now())
    }
  })
}

/** Real money that people must look at first: the order keeps its goods meanwhile. */
async function hold(deps: PaymentDeps, attempt: Attempt, paid: PaidOutcome, attention: Attention): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await sql`select 1 from orders where id = ${attempt.orderId} for update`.execute(tx)
    if (!(await claimGatewayEvent(tx, attempt, `held:${paid.eventId}`, attention, paid, deps.now()))) return
    const { numAffectedRows } =
      await sql`update payment_attempts set state = 'review', gateway_txn = ${paid.gatewayTxn}, failure = ${attention},
      updated_at = ${deps.now()} where id = ${attempt.id} and state not in ('paid', 'review', 'refused')`.execute(tx)
    if (numAffectedRows !== 1n) return
    await sql`update orders set needs_attention = ${attention}, expires_at = null, version = version + 1, updated_at = ${deps.now()}
      where id = ${attempt.orderId}`.execute(tx)
    await addGatewayOrderEvent(
      tx,
      attempt,
      attention,
      { eventId: paid.eventId, amountPoisha: paid.amountPoisha, currency: paid.currency },
      deps.now(),
    )
  })
}
