import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { addLedgerEntryOnce } from '#features/ledger/ledger.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { sellPaidAnimals } from './mark-animals-sold.server.ts'
import { addGatewayOrderEvent, claimGatewayEvent } from './gateway-events.server.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import type { PaidOutcome } from '#features/payments/gateway.ts'
import { findAttempt, findPayableOrder, type Attempt, type PayableOrder } from '#features/payments/queries.server.ts'
import { attentionFor, stillPayable, type Attention } from '#features/payments/payment-verification-rules.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { poishaToTaka, type Poisha } from '#lib/format/money.ts'

type Receipt = { eventId: string; gatewayTxn: string; amountPoisha: Poisha }

/**
 * Records an accepted payment in one transaction: ledger entry, attempt paid, animals sold once their advance or full price is covered,
 * history, SMS. Each event of a gateway is recorded once; repeating it changes nothing. `reviewer` is the member of staff who accepts a
 * payment in review. False when the attempt does not wait for that: the staff have refused it, or the review is over.
 */
export async function recordPayment(
  deps: PaymentDeps,
  attempt: Attempt,
  paid: PaidOutcome,
  reviewer: Actor | null = null,
): Promise<boolean> {
  const settings = await deps.facts.settings()
  return inTransaction(deps.db, async (tx) => {
    // The order first, always: two payments of one order wait here for each other.
    await sql`select 1 from orders where id = ${attempt.orderId} for update`.execute(tx)
    const { state } = (await findAttempt(tx, attempt.id))!
    // The money of a refused payment is on its way back.
    if (state === 'refused' || (reviewer !== null && state !== 'review')) return false
    if (reviewer !== null) await noteReview(tx, deps, attempt, paid, reviewer)
    for (const receipt of [paid, ...paid.extra]) {
      if (!(await claimGatewayEvent(tx, attempt, receipt.eventId, 'paid', receipt, deps.now()))) continue
      const before = (await findPayableOrder(tx, attempt.orderId))!
      const attention = (await addEntry(tx, deps, attempt, receipt)) ? attentionFor(before) : null
      await markPaid(tx, deps, attempt, receipt)
      const order = (await findPayableOrder(tx, attempt.orderId))!
      if (attention) await flag(tx, deps, attempt, receipt, attention)
      else await confirmPayment(tx, deps, attempt, receipt, order, settings)
    }
    return true
  })
}

async function noteReview(tx: Db, deps: PaymentDeps, attempt: Attempt, paid: PaidOutcome, reviewer: Actor): Promise<void> {
  const detail = { method: attempt.gateway, amount: poishaToTaka(paid.amountPoisha), transaction_id: paid.gatewayTxn }
  await addOrderEvent(tx, attempt.orderId, { kind: 'staff', id: reviewer.id }, deps.now(), { kind: 'payment-accepted', detail })
  await audit(tx, reviewer, { action: 'approved', subject: 'order', id: attempt.orderId, after: detail })
}

/** Adds the ledger entry of a payment. False when the staff recorded this transaction already: it is not counted again. */
function addEntry(tx: Db, deps: PaymentDeps, { orderId, gateway }: Attempt, { amountPoisha, gatewayTxn }: Receipt): Promise<boolean> {
  const entry = { orderId, kind: 'gateway', method: gateway, amount: amountPoisha, reference: gatewayTxn, actorId: null } as const
  return addLedgerEntryOnce(tx, { ...entry, at: deps.now() })
}

async function markPaid(tx: Db, deps: PaymentDeps, attempt: Attempt, receipt: Receipt): Promise<void> {
  await sql`update payment_attempts set state = 'paid', gateway_txn = ${receipt.gatewayTxn}, failure = null, updated_at = ${deps.now()}
    where id = ${attempt.id} and state <> 'paid'`.execute(tx)
}

/** The money is in the books; the goods are not promised by it. */
async function flag(tx: Db, deps: PaymentDeps, attempt: Attempt, receipt: Receipt, attention: Attention): Promise<void> {
  deps.log.warn({ orderId: attempt.orderId, eventId: receipt.eventId, attention }, 'payment needs the staff')
  await sql`update orders set needs_attention = ${attention}, version = version + 1, updated_at = ${deps.now()} where id = ${attempt.orderId}`.execute(
    tx,
  )
  await addGatewayOrderEvent(tx, attempt, attention, { amountPoisha: receipt.amountPoisha, transaction: receipt.gatewayTxn }, deps.now())
}

async function confirmPayment(
  tx: Db,
  deps: PaymentDeps,
  attempt: Attempt,
  receipt: Receipt,
  order: PayableOrder,
  settings: Settings,
): Promise<void> {
  // The flag of a review goes with the last attempt in review; other flags stay.
  await sql`update orders o set expires_at = case when ${stillPayable(order) === 0} then null else expires_at end,
    needs_attention = case when needs_attention in ('risky-payment', 'payment-mismatch')
      and not exists (select 1 from payment_attempts where order_id = o.id and state = 'review') then null else needs_attention end,
    version = version + 1, updated_at = ${deps.now()} where id = ${order.id}`.execute(tx)
  await addGatewayOrderEvent(
    tx,
    attempt,
    'payment-received',
    { amountPoisha: receipt.amountPoisha, transaction: receipt.gatewayTxn },
    deps.now(),
  )
  await sellPaidAnimals(tx, order.id)
  const shop = orderSmsShop(deps.env.publicUrl, settings)
  await queueOrderSms(tx, shop, { orderId: order.id, event: `payment-received-${attempt.id}`, text: settings.messages.paymentReceived })
}
