import { HELD_PREFIX } from './gateway-events.server.ts'
import { recordOutcome, type AttemptStatus } from './record-outcome.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { GatewayName, PaymentHint, PaymentOutcome } from '#features/payments/gateway.ts'
import { findAttempt, findHintedAttempt, findPayableOrder, isRecorded, type Attempt } from '#features/payments/queries.server.ts'
import { isEnded } from '#features/ledger/rules.ts'
import { pagePayable } from '#features/payments/payment-verification-rules.ts'
import { KeyedLimit } from '#lib/async/keyed-limit.ts'
import { LogThrottle } from '#lib/runtime/log-throttle.ts'

export type CallbackResult =
  | { ok: true; orderId: number; isRest: boolean; status: AttemptStatus }
  | { ok: false; reason: 'unknown-attempt' }

/**
 * The hints about one attempt that ask its gateway at a time, and that may wait. The buyer of an unpaid order can send any number. One that
 * is left out loses nothing: those that wait ask after it, and so does the job.
 */
const handling = new KeyedLimit<number>(2)
const MAX_WAITING = 10
const unknownPayments = new LogThrottle()

/**
 * Handles a hint (a browser's return, a notification): queries the gateway and records its response. The hint itself is never trusted.
 * Idempotent, also for concurrent calls.
 */
export async function handleGatewayCallback(
  deps: PaymentDeps,
  { gateway, hint }: { gateway: GatewayName; hint: PaymentHint },
): Promise<CallbackResult> {
  const attempt = await findHintedAttempt(deps.db, gateway, hint)
  if (!attempt) {
    const { claimedStatus, isSigned } = hint
    unknownPayments.run((more) => deps.log.warn({ gateway, claimedStatus, isSigned, ...more }, 'notification for an unknown payment'))
    return { ok: false, reason: 'unknown-attempt' }
  }
  const { orderId, isRest } = attempt
  if (handling.waiting(attempt.id) >= MAX_WAITING) return { ok: true, orderId, isRest, status: 'waiting' }
  // Read again: another hint may have changed it while this one waited.
  return handling.run(attempt.id, async () => handleHint(deps, (await findAttempt(deps.db, attempt.id)) ?? attempt, hint))
}

async function handleHint(deps: PaymentDeps, attempt: Attempt, hint: PaymentHint): Promise<CallbackResult> {
  const { orderId, isRest } = attempt
  if (attempt.state === 'refused' && (await isKnown(deps, attempt, hint))) return { ok: true, orderId, isRest, status: 'refused' }
  if (await isRepetition(deps, attempt, hint)) return { ok: true, orderId, isRest, status: 'paid' }
  const status = await recordOutcome(deps, attempt, await queryOrConfirm(deps, attempt, hint))
  return { ok: true, orderId, isRest, status }
}

/** Whether the hint names no payment, or one of a rejected attempt that was held for review. */
async function isKnown({ db }: PaymentDeps, { gateway }: Attempt, { confirmationId }: PaymentHint): Promise<boolean> {
  return confirmationId === undefined || isRecorded(db, gateway, HELD_PREFIX + confirmationId)
}

/** Whether the hint repeats a payment that is recorded already; the gateway is not queried then. */
async function isRepetition(deps: PaymentDeps, attempt: Attempt, hint: PaymentHint): Promise<boolean> {
  if (attempt.state !== 'paid') return false
  return hint.confirmationId === undefined || (await isRecorded(deps.db, attempt.gateway, hint.confirmationId))
}

/**
 * Confirms the payment of a payable order, which may move money. When the order has ended or is paid, less than the attempt is left to pay, or
 * the attempt is closed, it only queries the state.
 */
async function queryOrConfirm(deps: PaymentDeps, attempt: Attempt, hint: PaymentHint): Promise<PaymentOutcome> {
  const gateway = deps.gateways[attempt.gateway]
  if (!gateway) return { state: 'unknown', detail: 'gateway not configured' }
  const order = await findPayableOrder(deps.db, attempt.orderId)
  const isPayable =
    order !== null && attempt.state !== 'expired' && !isEnded(order.status) && pagePayable(order, attempt) >= attempt.amountPoisha
  return isPayable ? gateway.confirm(attempt, hint) : gateway.query(attempt)
}
