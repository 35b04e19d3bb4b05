import { queryGateway } from '#features/payments/commands/record-outcome.server.ts'
import { startPayment, type StartResult } from '#features/payments/commands/start-payment.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import { findPayableOrder, listAttempts, type Attempt } from '#features/payments/queries.server.ts'
import { isEnded } from '#features/ledger/rules.ts'
import { stillPayable } from '#features/payments/payment-verification-rules.ts'

export type PayAgainResult = StartResult | { ok: false; reason: 'in-progress' }

const STILL_OPEN_MS = 25 * 60_000

/**
 * Another try for an order: only after asking how the earlier ones stand, so that nobody pays twice. A page of SSLCommerz
 * that is still open is used again; at bKash no money moves without us, so a new page is harmless.
 */
export async function payAgain(deps: PaymentDeps, orderId: number, wanted?: GatewayName): Promise<PayAgainResult> {
  for (const attempt of await listAttempts(deps.db, orderId)) {
    if (attempt.state === 'review') return { ok: false, reason: 'in-progress' }
    if (attempt.state !== 'pending' || attempt.gatewayRef === null) continue
    const standing = await queryGateway(deps, attempt)
    if (standing === 'paid') return { ok: false, reason: 'nothing-to-pay' }
    if (standing === 'in-flight' || standing === 'review') return { ok: false, reason: 'in-progress' }
    if (standing === 'unknown') return { ok: false, reason: 'gateway-silent' }
    if (standing === 'waiting' && (await isReusable(deps, attempt, wanted))) return { ok: true, redirectUrl: attempt.redirectUrl! }
  }
  return startPayment(deps, orderId, wanted)
}

async function isReusable(deps: PaymentDeps, attempt: Attempt, wanted: GatewayName | undefined): Promise<boolean> {
  if (attempt.gateway !== 'sslcommerz' || (wanted ?? 'sslcommerz') !== 'sslcommerz' || attempt.redirectUrl === null) return false
  if (deps.now().getTime() - attempt.createdAt.getTime() > STILL_OPEN_MS) return false
  const order = await findPayableOrder(deps.db, attempt.orderId)
  return order !== null && !isEnded(order.status) && stillPayable(order) === attempt.amountPoisha
}
