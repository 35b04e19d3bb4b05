import { queryGateway } from '#features/payments/commands/record-outcome.server.ts'
import { type Payment, startPayment, type StartResult } from '#features/payments/commands/start-payment.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { findPayableOrder, listAttempts, type Attempt } from '#features/payments/queries.server.ts'
import { isEnded } from '#features/ledger/rules.ts'
import { pagePayable } from '#features/payments/payment-verification-rules.ts'

export type PayAgainResult = StartResult | { ok: false; reason: 'in-progress' }

/** The time for which a session page of SSLCommerz is used again. */
const REUSABLE_MS = 25 * 60_000

/**
 * Starts another payment of an order. Queries the earlier attempts first, so that an order is not paid twice. An open page of SSLCommerz is
 * used again; one that reported a failure may have been used again by the payer. A new page of bKash is harmless: there money moves only when
 * the shop executes the payment.
 */
export async function payAgain(deps: PaymentDeps, orderId: number, payment: Payment = {}): Promise<PayAgainResult> {
  for (const attempt of await listAttempts(deps.db, orderId)) {
    if (attempt.state === 'review') return { ok: false, reason: 'in-progress' }
    const isOpen = attempt.state === 'pending'
    if (attempt.gatewayRef === null || !(isOpen || isFailedPage(deps, attempt))) continue
    const status = await queryGateway(deps, attempt)
    if (status === 'paid') return { ok: false, reason: 'nothing-to-pay' }
    if (status === 'in-flight' || status === 'review') return { ok: false, reason: 'in-progress' }
    if (status === 'unknown' && isOpen) return { ok: false, reason: 'gateway-silent' }
    if (status === 'waiting' && (await isReusable(deps, attempt, payment))) return { ok: true, redirectUrl: attempt.redirectUrl! }
  }
  return startPayment(deps, orderId, payment)
}

/** Whether the payer may still pay on the page of an attempt that failed. */
function isFailedPage(deps: PaymentDeps, attempt: Attempt): boolean {
  return attempt.state === 'failed' && attempt.gateway === 'sslcommerz' && isYoung(deps, attempt)
}

const isYoung = (deps: PaymentDeps, attempt: Attempt) => deps.now().getTime() - attempt.createdAt.getTime() <= REUSABLE_MS

async function isReusable(deps: PaymentDeps, attempt: Attempt, { gateway, due }: Payment): Promise<boolean> {
  if (attempt.isRest !== (due !== undefined)) return false
  if (attempt.gateway !== 'sslcommerz' || (gateway ?? 'sslcommerz') !== 'sslcommerz' || attempt.redirectUrl === null) return false
  if (attempt.state !== 'pending' || !isYoung(deps, attempt)) return false
  const order = await findPayableOrder(deps.db, attempt.orderId)
  return (
    order !== null &&
    !isEnded(order.status) &&
    pagePayable(order, attempt) === attempt.amountPoisha &&
    (due ?? attempt.amountPoisha) === attempt.amountPoisha
  )
}
