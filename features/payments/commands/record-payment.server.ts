import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { FLAG_AFTER_REVIEW } from '#features/ledger/attention.server.ts'
import { reverseRecovered } from '#features/ledger/adjustment-entries.server.ts'
import { addLedgerEntryOnce, findEntryOfReference } from '#features/ledger/ledger.server.ts'
import type { AttentionFlag, OrderMoney } from '#features/ledger/rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { queuePaymentEmail } from '#features/messaging/queue-email.server.ts'
import { sellPaidAnimals } from './mark-animals-sold.server.ts'
import { addGatewayOrderEvent, claimGatewayEvent, countHeldPayments, listHeldPayments } from './gateway-events.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { PaidOutcome, Receipt } from '#features/payments/gateway.ts'
import { findAttempt, findPayableOrder, lockOrderRow, type Attempt } from '#features/payments/queries.server.ts'
import { attentionFor, stillPayable } from '#features/payments/payment-verification-rules.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { poishaToTaka } from '#lib/format/money.ts'

/** A member of staff who accepts a payment in review. `held`: the payments that were held under the attempt when its gateway was asked. */
interface Review {
  reviewer: Actor
  held: number
}

/** `not-in-review`: the staff have rejected the attempt, or its review is over. `gateway-silent`: another payment came under the review. */
type Recorded = 'recorded' | 'not-in-review' | 'gateway-silent'

/**
 * Records an accepted payment in one transaction: ledger entry, attempt paid, animals sold when their advance or full price is covered,
 * order event, SMS. Idempotent for each event of a gateway.
 */
export async function recordGatewayPayment(
  deps: PaymentDeps,
  attempt: Attempt,
  paid: PaidOutcome,
  review: Review | null = null,
): Promise<Recorded> {
  const settings = await deps.shopCache.settings()
  return inTransaction(deps.db, async (tx) => {
    // Lock order: the order first. Concurrent payments of one order are recorded one after the other.
    await lockOrderRow(tx, attempt.orderId)
    const { state } = (await findAttempt(tx, attempt.id))!
    // The money of a rejected payment is being refunded.
    if (state === 'refused' || (review !== null && state !== 'review')) return 'not-in-review'
    // The gateway's answer may lack a payment that is held since: the attempt would leave the review without it.
    if (review !== null && (await countHeldPayments(tx, attempt.id)) !== review.held) return 'gateway-silent'
    if (review !== null) await recordReview(tx, deps, attempt, paid, review.reviewer)
    // The attempt leaves the review with this payment: others that are held under it would be seen by nobody.
    const held = state === 'review' && review === null ? await listHeldPayments(tx, attempt.id) : []
    // Others are held for review (`holdExtra`): their amounts are no taka.
    const extra = paid.extra.filter(({ currency }) => currency === 'BDT')
    for (const receipt of [paid, ...extra, ...held]) {
      const event = { eventId: receipt.eventId, outcome: 'paid', detail: receipt, at: deps.now() }
      if (!(await claimGatewayEvent(tx, attempt, event))) continue
      const before = (await findPayableOrder(tx, attempt.orderId))!
      const step = { deps, attempt, receipt }
      const { attention, isAdded } = await addEntry(tx, step, before)
      await markPaid(tx, step)
      if (attention !== 'recorded-elsewhere') await verifyOwnReport(tx, step)
      if (attention) await flagForReview(tx, step, attention, settings)
      else await confirmPayment(tx, step, isAdded ? settings : null)
    }
    return 'recorded'
  })
}

async function recordReview(tx: Db, deps: PaymentDeps, attempt: Attempt, paid: PaidOutcome, reviewer: Actor): Promise<void> {
  const detail = { method: attempt.gateway, amount: poishaToTaka(paid.amountPoisha), transaction_id: paid.gatewayTxn }
  await addOrderEvent(tx, attempt.orderId, reviewer, deps.now(), { kind: 'payment-accepted', detail })
  await audit(tx, reviewer, { action: 'approved', subject: 'order', id: attempt.orderId, after: detail })
}

/** One payment that is being recorded. */
interface Step {
  deps: PaymentDeps
  attempt: Attempt
  receipt: Receipt
}

interface Added {
  attention: AttentionFlag | null
  isAdded: boolean
}

/**
 * Adds the ledger entry of a payment, and reverses the part of a write-off that it pays. `attention`: why the order needs the staff, or
 * null. A transaction that the staff recorded already is not counted again; for another order, or with another amount, it confirms nothing.
 */
async function addEntry(tx: Db, { deps, attempt, receipt }: Step, before: OrderMoney): Promise<Added> {
  const { orderId, gateway } = attempt
  const { amountPoisha, gatewayTxn } = receipt
  const entry = { orderId, kind: 'gateway', method: gateway, amount: amountPoisha, reference: gatewayTxn, actorId: null } as const
  if (!(await addLedgerEntryOnce(tx, { ...entry, at: deps.now() }))) {
    const recorded = await findEntryOfReference(tx, gateway, gatewayTxn)
    if (recorded?.orderId !== orderId) return { attention: 'recorded-elsewhere', isAdded: false }
    return { attention: recorded.amount === amountPoisha ? null : 'payment-mismatch', isAdded: false }
  }
  await reverseRecovered(tx, orderId, { before, amount: amountPoisha }, { kind: 'gateway', id: null }, deps.now())
  return { attention: attentionFor(before, attempt), isAdded: true }
}

/**
 * Verifies the report of a customer who typed the transaction id of this payment too: staff could only reject it, for money that has come.
 * Reports for other orders wait for the staff. The locked order has no other decision of its reports.
 */
async function verifyOwnReport(tx: Db, { deps, attempt, receipt }: Step): Promise<void> {
  await sql`update advance_reports set state = 'verified', decided_at = ${deps.now()}
    where order_id = ${attempt.orderId} and method = ${attempt.gateway} and transaction_id = ${receipt.gatewayTxn} and state = 'waiting'`.execute(
    tx,
  )
}

/** Of a payment that was notified no answer is known: the gateway is asked once more whether others came. */
async function markPaid(tx: Db, { deps, attempt, receipt }: Step): Promise<void> {
  await tx
    .updateTable('payment_attempts')
    .set({ state: 'paid', gateway_txn: receipt.gatewayTxn, failure: null, answered_at: null, updated_at: deps.now() })
    .where('id', '=', attempt.id)
    .where('state', '<>', 'paid')
    .execute()
}

/**
 * Flags the order of a payment that does not confirm the order: the staff decide. The payer of an ended order gets an SMS, as for a payment that
 * staff record. An order whose money is recorded for another one does not expire meanwhile.
 */
async function flagForReview(tx: Db, { deps, attempt, receipt }: Step, attention: AttentionFlag, settings: Settings): Promise<void> {
  deps.log.warn({ orderId: attempt.orderId, eventId: receipt.eventId, attention }, 'payment needs the staff')
  await tx
    .updateTable('orders')
    .set(attention === 'recorded-elsewhere' ? { expires_at: null } : {})
    .set((order) => ({ needs_attention: attention, version: order('version', '+', 1), updated_at: deps.now() }))
    .where('id', '=', attempt.orderId)
    .execute()
  await addGatewayOrderEvent(tx, attempt, attention, { amountPoisha: receipt.amountPoisha, transaction: receipt.gatewayTxn }, deps.now())
  if (attention !== 'paid-after-end') return
  const shop = orderSmsShop(deps.env.publicUrl, settings)
  const event = `payment-after-end-${attempt.id}-${receipt.eventId}`
  const sms = { orderId: attempt.orderId, event, text: settings.messages.paymentAfterEnd, more: { amount: receipt.amountPoisha } }
  await queueOrderSms(tx, shop, sms)
}

/** Confirms the order of a payment. `settings`: null for one that staff recorded, who have announced it; it may have been paid back since. */
async function confirmPayment(tx: Db, { deps, attempt, receipt }: Step, settings: Settings | null): Promise<void> {
  const order = (await findPayableOrder(tx, attempt.orderId))!
  await sql`update orders o set expires_at = case when ${stillPayable(order) === 0} then null else expires_at end,
    needs_attention = ${FLAG_AFTER_REVIEW}, version = version + 1, updated_at = ${deps.now()} where id = ${order.id}`.execute(tx)
  const detail = { amountPoisha: receipt.amountPoisha, transaction: receipt.gatewayTxn }
  await addGatewayOrderEvent(tx, attempt, 'payment-received', detail, deps.now())
  await sellPaidAnimals(tx, order.id)
  if (settings === null) return
  const shop = orderSmsShop(deps.env.publicUrl, settings)
  await queueOrderSms(tx, shop, { orderId: order.id, event: `payment-received-${attempt.id}`, text: settings.messages.paymentReceived })
  await queuePaymentEmail(tx, { orderId: order.id, event: `payment-received-${attempt.id}` })
}
