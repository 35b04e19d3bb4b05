import { recordOutcome, type Standing } from './record-outcome.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { GatewayName, PaymentHint, PaymentOutcome } from '#features/payments/gateway.ts'
import { findHintedAttempt, findPayableOrder, isCounted, type Attempt } from '#features/payments/queries.server.ts'
import { isEnded } from '#features/ledger/rules.ts'
import { stillPayable } from '#features/payments/payment-verification-rules.ts'

export type SettleResult = { ok: true; orderId: number; standing: Standing } | { ok: false; reason: 'unknown-attempt' }

/**
 * Follows a hint (a browser's return, a notification): asks the gateway server to server and writes down what it answers.
 * The hint itself is never believed, in either direction. Safe to repeat and to run many times at once.
 */
export async function handleGatewayCallback(
  deps: PaymentDeps,
  { gateway, hint }: { gateway: GatewayName; hint: PaymentHint },
): Promise<SettleResult> {
  const attempt = await findHintedAttempt(deps.db, gateway, hint)
  if (!attempt) {
    deps.log.warn({ gateway, said: hint.said, signed: hint.signed }, 'notification for an unknown payment')
    return { ok: false, reason: 'unknown-attempt' }
  }
  const { orderId } = attempt
  if (attempt.state === 'refused') return { ok: true, orderId, standing: 'refused' }
  if (await isOldNews(deps, attempt, hint)) return { ok: true, orderId, standing: 'paid' }
  const standing = await recordOutcome(deps, attempt, await ask(deps, attempt, hint))
  return { ok: true, orderId, standing }
}

/** A repetition about money that is already in the books needs no further question. */
async function isOldNews(deps: PaymentDeps, attempt: Attempt, hint: PaymentHint): Promise<boolean> {
  if (attempt.state !== 'paid') return false
  return hint.confirmationId === undefined || (await isCounted(deps.db, attempt.gateway, hint.confirmationId))
}

/**
 * Confirming may move money. Only the state is queried for an order that has ended, is paid, or is paid another way now (its attempt is closed).
 */
async function ask(deps: PaymentDeps, attempt: Attempt, hint: PaymentHint): Promise<PaymentOutcome> {
  const gateway = deps.gateways[attempt.gateway]
  if (!gateway) return { state: 'unknown', detail: 'gateway not configured' }
  const order = await findPayableOrder(deps.db, attempt.orderId)
  const isWanted = order !== null && attempt.state !== 'expired' && !isEnded(order.status) && stillPayable(order) > 0
  return isWanted ? gateway.confirm(attempt, hint) : gateway.query(attempt)
}
