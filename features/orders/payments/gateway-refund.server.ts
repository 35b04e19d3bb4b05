import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { findOrderMoney } from '#features/ledger/ledger.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import { CALL_OVER_MS } from '#features/payments/refunds/follow-refunds.server.ts'
import {
  listOtherRefs,
  listRefundable,
  lockRefund,
  type RefundState,
  sumOfRefundsUnderWay,
} from '#features/payments/refunds/queries.server.ts'
import { writeOutcome } from '#features/payments/refunds/record-refund.server.ts'
import { writeRefund } from '#features/payments/refunds/request-refund.server.ts'
import { sendRefund } from '#features/payments/refunds/send-refund.server.ts'
import { constraintOf, inTransaction } from '#lib/db/db.server.ts'
import { poishaToTaka, type Poisha } from '#lib/format/money.ts'
import { sanitizeText } from '#lib/format/text.ts'
import { lockOrder, raiseOrderVersion } from '../order-locks.server.ts'
import { normalizeTransactionId } from '../advances/transaction-id-rules.ts'
import { refundLimitError, type RefundLimitError } from './ledger-rules.ts'

export interface GatewayRefundForm {
  gateway: GatewayName
  /** The gateway's id of the payment to refund. */
  transaction: string
  amount: Poisha
  /** The customer reads it at the gateway. */
  reason: string
  /** The version of the order that the clerk saw. It rejects a repeated request. */
  version: number
}

export type GatewayRefundError =
  | 'not-found'
  | 'changed'
  | 'reason-required'
  | 'no-such-payment'
  | 'no-gateway'
  /** Above the payment less its refunds, open ones included. */
  | 'more-than-left'
  /** Above what may be paid back for the order, less open refunds. */
  | RefundLimitError
  /** A refund of this payment waits for its outcome. */
  | 'under-way'
export type GatewayRefundResult = { ok: true; state: RefundState } | { ok: false; reason: GatewayRefundError }

/**
 * Refunds a payment through its gateway: commits the request, then calls the gateway. The ledger entry is added when the gateway accepts.
 * The job `followRefunds` tracks the refund until it ends.
 */
export async function refundThroughGateway(
  deps: PaymentDeps,
  orderId: number,
  form: GatewayRefundForm,
  clerk: Actor,
): Promise<GatewayRefundResult> {
  const reason = sanitizeText(form.reason)
  if (reason === '') return { ok: false, reason: 'reason-required' }
  if (!deps.gateways[form.gateway]) return { ok: false, reason: 'no-gateway' }
  const requested = await request(deps, orderId, { ...form, reason }, clerk)
  return requested.ok ? { ok: true, state: await sendRefund(deps, requested.id) } : requested
}

type Requested = { ok: true; id: number } | { ok: false; reason: GatewayRefundError }

async function request(deps: PaymentDeps, orderId: number, form: GatewayRefundForm, clerk: Actor): Promise<Requested> {
  try {
    return await inTransaction(deps.db, async (tx): Promise<Requested> => {
      const order = await lockOrder(tx, orderId)
      if (!order) return { ok: false, reason: 'not-found' }
      if (order.version !== form.version) return { ok: false, reason: 'changed' }
      const { gateway, transaction, amount, reason } = form
      const payment = (await listRefundable(tx, orderId)).find((paid) => paid.gateway === gateway && paid.gatewayTxn === transaction)
      if (!payment) return { ok: false, reason: 'no-such-payment' }
      if (amount > payment.leftPoisha) return { ok: false, reason: 'more-than-left' }
      const money = (await findOrderMoney(tx, orderId))!
      const error = payment.inLedger ? refundLimitError(amount, money, await sumOfRefundsUnderWay(tx, orderId)) : null
      if (error) return { ok: false, reason: error }
      const { attemptId, inLedger } = payment
      const refund = { orderId, attemptId, gateway, gatewayTxn: transaction, amountPoisha: amount, reason, inLedger, staffId: clerk.id }
      const id = await writeRefund(tx, refund, deps.now())
      await raiseOrderVersion(tx, orderId, deps.now())
      const detail = { method: gateway, amount: poishaToTaka(amount), transaction_id: transaction, reason }
      await addOrderEvent(tx, orderId, clerk, deps.now(), { kind: 'refund-requested', detail })
      await audit(tx, clerk, { action: 'refunded', subject: 'order', id: orderId, after: detail })
      return { ok: true, id }
    })
  } catch (error) {
    if (constraintOf(error) === 'gateway_refunds_unsettled') return { ok: false, reason: 'under-way' }
    throw error
  }
}

export type ResolveResult =
  | { ok: true; orderId: number }
  /**
   * `in-flight`: the call to the gateway may still be under way. `decided`: the refund has ended. `used-reference`: another refund of the
   * payment has it.
   */
  | { ok: false; reason: 'not-found' | 'in-flight' | 'decided' | 'bad-reference' | 'used-reference' }

/**
 * Records the outcome of a refund that staff looked up in the gateway's panel, when the gateway did not report it: refunded with the gateway's
 * reference, or not refunded.
 */
export async function resolveRefund(
  deps: PaymentDeps,
  refundId: number,
  found: { outcome: 'done' | 'failed'; reference: string },
  clerk: Actor,
): Promise<ResolveResult> {
  const reference = normalizeTransactionId(found.reference, null)
  if (found.outcome === 'done' && reference === null) return { ok: false, reason: 'bad-reference' }
  const { expiry } = await deps.shopCache.settings()
  return inTransaction(deps.db, async (tx): Promise<ResolveResult> => {
    const refund = await lockRefund(tx, refundId)
    if (!refund) return { ok: false, reason: 'not-found' }
    if (refund.state === 'done' || refund.state === 'failed') return { ok: false, reason: 'decided' }
    if (refund.sentAt !== null && deps.now().getTime() - refund.sentAt.getTime() < CALL_OVER_MS) return { ok: false, reason: 'in-flight' }
    const otherRefs = found.outcome === 'done' ? await listOtherRefs(tx, refund) : []
    if (otherRefs.some((other) => other.toUpperCase() === reference)) return { ok: false, reason: 'used-reference' }
    const outcome =
      found.outcome === 'done'
        ? ({ state: 'refunded', refundRef: reference! } as const)
        : ({ state: 'refused', reason: 'not refunded, as found by the staff' } as const)
    await writeOutcome(tx, { refund, outcome, by: clerk, now: deps.now(), expiry }, deps)
    const after = { method: refund.gateway, amount: poishaToTaka(refund.amountPoisha), outcome: found.outcome, transaction_id: reference }
    await audit(tx, clerk, { action: 'verified', subject: 'order', id: refund.orderId, after })
    return { ok: true, orderId: refund.orderId }
  })
}
