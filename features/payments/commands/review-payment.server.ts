import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { FLAG_AFTER_REVIEW } from '#features/ledger/attention.server.ts'
import { findEntryOfReference, findOrderMoney } from '#features/ledger/ledger.server.ts'
import { isEnded } from '#features/ledger/rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import { countHeldPayments, releaseHeldPayments } from './gateway-events.server.ts'
import { holdExtra } from './hold-payment.server.ts'
import { recordGatewayPayment } from './record-payment.server.ts'
import { expiresAt, type Expiry } from '#features/payments/deadline-rules.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { PaidOutcome, PaymentOutcome } from '#features/payments/gateway.ts'
import { findAttempt, findPayableOrder, lockOrderRow, type Attempt, type PayableOrder } from '#features/payments/queries.server.ts'
import { sumOfRefundsUnderWay, type RefundState } from '#features/payments/refunds/queries.server.ts'
import { writeRefund } from '#features/payments/refunds/request-refund.server.ts'
import { sendRefund } from '#features/payments/refunds/send-refund.server.ts'
import { pagePayable, stillPayable, verifyPayment } from '#features/payments/payment-verification-rules.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { poisha, poishaToTaka } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'

// A payment that the gateway calls risky, or whose sum differs, waits for the staff (attempt state `review`), who accept or reject it.

export type ReviewError =
  | 'not-found'
  /** The review is over. */
  | 'not-in-review'
  /** The gateway does not report the payment as paid. */
  | 'not-paid'
  /** The gateway gives no clear response, or another payment came while it was asked; nothing was changed. */
  | 'gateway-silent'
  /** Another currency, or a payment of another attempt. */
  | 'mismatch'

export type AcceptResult = { ok: true; orderId: number } | { ok: false; reason: ReviewError }
export type RejectResult = { ok: true; orderId: number; refunds: RefundState[] } | { ok: false; reason: ReviewError }

/**
 * Accepts a payment in review. Queries the gateway first, so that a reversed payment is not accepted. Then one transaction writes ledger
 * entry, animals, order event, audit log and SMS. Records the sum that was paid. Of concurrent calls one accepts.
 */
export async function acceptPayment(deps: PaymentDeps, attemptId: number, clerk: Actor): Promise<AcceptResult> {
  const found = await queryInReview(deps, attemptId)
  if (!found.ok) return found
  const { attempt, outcome, held } = found
  if (outcome.state === 'failed') return { ok: false, reason: 'not-paid' }
  if (outcome.state !== 'paid') return { ok: false, reason: 'gateway-silent' }
  if (verifyPayment(outcome, attempt) === 'wrong-attempt' || outcome.currency !== 'BDT') return { ok: false, reason: 'mismatch' }
  const recorded = await recordGatewayPayment(deps, attempt, outcome, { reviewer: clerk, held })
  if (recorded !== 'recorded') return { ok: false, reason: recorded }
  await holdExtra(deps, attempt, outcome)
  return { ok: true, orderId: attempt.orderId }
}

/**
 * Rejects a payment in review and refunds it through the gateway if it was taken. Nothing enters the ledger. The order can be paid again
 * and expires as an unpaid one. Of concurrent calls one rejects.
 */
export async function rejectPaymentInReview(deps: PaymentDeps, attemptId: number, reason: string, clerk: Actor): Promise<RejectResult> {
  const found = await queryInReview(deps, attemptId)
  if (!found.ok) return found
  const { attempt, outcome, held } = found
  if (outcome.state === 'unknown' || outcome.state === 'pending') return { ok: false, reason: 'gateway-silent' }
  const paid = outcome.state === 'paid' && verifyPayment(outcome, attempt) !== 'wrong-attempt' ? outcome : null
  const settings = await deps.shopCache.settings()
  const refundIds = await inTransaction(deps.db, async (tx) => {
    await lockOrderRow(tx, attempt.orderId)
    // The answer may lack a payment that is held since: it would be neither refunded nor seen.
    if ((await countHeldPayments(tx, attemptId)) !== held) return 'gateway-silent'
    const { numUpdatedRows } = await tx
      .updateTable('payment_attempts')
      .set({ state: 'refused', failure: reason, updated_at: deps.now() })
      .where('id', '=', attemptId)
      .where('state', '=', 'review')
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return 'not-in-review'
    const ids = paid === null ? [] : await writeRefunds(tx, attempt, paid, { reason, staffId: clerk.id, now: deps.now() })
    await releaseHeldPayments(tx, attemptId)
    await reopen(tx, deps, attempt, settings.expiry)
    const detail = {
      method: attempt.gateway,
      amount: paid && poishaToTaka(paid.amountPoisha),
      transaction_id: paid?.gatewayTxn ?? null,
      reason,
    }
    await addOrderEvent(tx, attempt.orderId, clerk, deps.now(), { kind: 'payment-refused', detail })
    await audit(tx, clerk, { action: 'refused', subject: 'order', id: attempt.orderId, after: detail })
    const sms = {
      orderId: attempt.orderId,
      event: `payment-refused-${attempt.id}`,
      text: await refusalText(tx, attempt, settings),
      more: { reason },
    }
    await queueOrderSms(tx, orderSmsShop(deps.env.publicUrl, settings), sms)
    return ids
  })
  if (typeof refundIds === 'string') return { ok: false, reason: refundIds }
  const refunds: RefundState[] = []
  for (const id of refundIds) refunds.push(await sendRefund(deps, id))
  return { ok: true, orderId: attempt.orderId, refunds }
}

/** The order with its sums after the refunds that are under way: a rejected payment may be in the ledger until its gateway has answered. */
async function findRefunded(tx: Db, orderId: number): Promise<PayableOrder> {
  const order = (await findPayableOrder(tx, orderId))!
  const refunds = await sumOfRefundsUnderWay(tx, orderId)
  return { ...order, paidPoisha: poisha(order.paidPoisha - refunds), duePoisha: poisha(order.duePoisha + refunds) }
}

/** The SMS of a rejected payment. It asks for another one, unless the order has ended or the money has come in another way meanwhile. */
async function refusalText(tx: Db, attempt: Attempt, { messages, shop }: Settings): Promise<Record<Lang, string>> {
  const order = await findRefunded(tx, attempt.orderId)
  if (!isEnded(order.status) && pagePayable(order, attempt) > 0) return messages.paymentRefused
  const textIn = (lang: Lang) => translate(lang)('review.refused-sms', { shop: shop.name[lang] })
  return { en: textIn('en'), bn: textIn('bn') }
}

/** `held`: the payments that were held under the attempt when its gateway was asked. */
type Queried = { ok: true; attempt: Attempt; outcome: PaymentOutcome; held: number } | { ok: false; reason: ReviewError }

async function queryInReview(deps: PaymentDeps, attemptId: number): Promise<Queried> {
  const attempt = await findAttempt(deps.db, attemptId)
  if (!attempt) return { ok: false, reason: 'not-found' }
  if (attempt.state !== 'review') return { ok: false, reason: 'not-in-review' }
  const gateway = deps.gateways[attempt.gateway]
  const held = await countHeldPayments(deps.db, attemptId)
  const outcome = gateway ? await gateway.query(attempt) : ({ state: 'unknown', detail: 'gateway not configured' } as const)
  return { ok: true, attempt, outcome, held }
}

/**
 * Writes one refund for each payment under the attempt. What staff have recorded by hand is refunded in the ledger too. Staff decide about a
 * payment in another currency, recorded with another amount or for another order, or paid back meanwhile: its refund fails.
 */
async function writeRefunds(
  tx: Db,
  attempt: Attempt,
  paid: PaidOutcome,
  { reason, staffId, now }: { reason: string; staffId: number; now: Date },
): Promise<number[]> {
  const { id: attemptId, orderId, gateway } = attempt
  const ids: number[] = []
  let hasFailure = false
  for (const receipt of [paid, ...paid.extra]) {
    const { gatewayTxn, amountPoisha } = receipt
    const recorded = await findEntryOfReference(tx, gateway, gatewayTxn)
    const inLedger = recorded?.orderId === orderId && recorded.amount === amountPoisha
    const failure = await refundProblem(tx, orderId, receipt, recorded ? { inLedger } : null)
    hasFailure ||= failure !== null
    const refund = { orderId, attemptId, gateway, gatewayTxn, amountPoisha, reason, inLedger, staffId }
    ids.push(await writeRefund(tx, refund, now, failure))
  }
  if (hasFailure) await tx.updateTable('orders').set({ needs_attention: 'refund-failed' }).where('id', '=', attempt.orderId).execute()
  return ids
}

/** Why a payment of a rejected attempt is not sent back; null when it is. Refunds that are written already count. */
async function refundProblem(
  tx: Db,
  orderId: number,
  { amountPoisha, currency }: PaidOutcome['extra'][number],
  recorded: { inLedger: boolean } | null,
): Promise<string | null> {
  if (currency !== 'BDT') return `paid in ${currency.slice(0, 10) || 'another currency'}`
  if (!recorded) return null
  if (!recorded.inLedger) return 'recorded with another amount or for another order'
  const { refundablePoisha } = (await findOrderMoney(tx, orderId))!
  return amountPoisha > refundablePoisha - (await sumOfRefundsUnderWay(tx, orderId)) ? 'more than the order still holds' : null
}

/**
 * Makes the order payable again: clears its flag unless another payment is in review, and gives it the full time to pay, or that of a reported
 * advance [S3].
 */
async function reopen(tx: Db, deps: PaymentDeps, attempt: Attempt, expiry: Expiry): Promise<void> {
  const order = await findRefunded(tx, attempt.orderId)
  const waits = order.status === 'placed' && order.paidPoisha === 0 && stillPayable(order) > 0
  const until = waits ? expiresAt(deps.now(), order.waitingAdvances > 0 ? 'reported' : 'gateway', expiry) : null
  await sql`update orders o set expires_at = ${until}, version = version + 1, updated_at = ${deps.now()},
    needs_attention = ${FLAG_AFTER_REVIEW}
    where id = ${order.id}`.execute(tx)
}
