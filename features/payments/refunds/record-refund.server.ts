import { sql } from 'kysely'
import type { Actor } from '#features/audit/audit.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { clearRefundFlag } from '#features/ledger/attention.server.ts'
import { addLedgerEntry, isReferenceUsed } from '#features/ledger/ledger.server.ts'
import { MAX_FAILURE_LENGTH, type RefundOutcome } from '#features/payments/gateway.ts'
import { type Expiry, expiresAt } from '#features/payments/deadline-rules.ts'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { type GatewayRefund, listOtherRefs, lockRefund, type RefundState } from '#features/payments/refunds/queries.server.ts'
import { inTransaction, type Db } from '#lib/db/db.server.ts'
import { poisha, poishaToTaka } from '#lib/format/money.ts'
import { truncate } from '#lib/format/text.ts'

/**
 * Records the outcome that a gateway reports for a refund. Idempotent. The ledger entry is written when the gateway accepts the refund; a
 * later failure is reversed by another entry and flags the order. Done refunds do not change. A failed one changes only where the gateway
 * has made it, or accepts it for the first time: staff recorded it as not done while the gateway was being asked.
 */
export async function recordRefundOutcome(
  deps: Pick<PaymentDeps, 'db' | 'now' | 'log' | 'shopCache'>,
  id: number,
  reported: RefundOutcome,
): Promise<RefundState> {
  const { expiry } = await deps.shopCache.settings()
  return inTransaction(deps.db, async (tx) => {
    const refund = (await lockRefund(tx, id))!
    const outcome = (await isOfOtherRefund(tx, refund, reported)) ? ({ state: 'unknown', detail: 'another refund' } as const) : reported
    if (refund.state === 'done' || (refund.state === 'failed' && !isCarriedOut(refund, outcome))) return refund.state
    return writeOutcome(tx, { refund, outcome, by: null, now: deps.now(), expiry }, deps)
  })
}

/** That an accepted refund is being processed says nothing new: the answer is older than its failure. */
const isCarriedOut = ({ gatewayRef }: GatewayRefund, { state }: RefundOutcome) =>
  state === 'refunded' || (state === 'processing' && gatewayRef === null)

/**
 * Whether a gateway answers a refund that has no id yet with the id of another refund of the payment: SSLCommerz calls a refund `processing`
 * that it has begun already.
 */
async function isOfOtherRefund(tx: Db, refund: GatewayRefund, outcome: RefundOutcome): Promise<boolean> {
  return 'refundRef' in outcome && refund.gatewayRef === null && (await listOtherRefs(tx, refund)).includes(outcome.refundRef)
}

interface Change {
  refund: GatewayRefund
  outcome: RefundOutcome
  /** The member of staff who records the outcome in place of the gateway; null for the gateway itself. */
  by: Actor | null
  now: Date
  expiry: Expiry
}

/** `recordRefundOutcome` inside a transaction that has locked the refund. */
export async function writeOutcome(tx: Db, change: Change, { log }: Pick<PaymentDeps, 'log'>): Promise<RefundState> {
  const { refund, outcome, now } = change
  switch (outcome.state) {
    case 'not-sent':
      if (refund.state !== 'unknown') return refund.state
      await update(tx, refund, sql`state = 'requested', sent_at = null, failure = ${truncate(outcome.detail, MAX_FAILURE_LENGTH)}`, now)
      return 'requested'
    case 'unknown':
      log.warn({ orderId: refund.orderId, refundId: refund.refundId, detail: outcome.detail }, 'refund state is unknown')
      await update(tx, refund, sql`failure = ${truncate(outcome.detail, MAX_FAILURE_LENGTH)}`, now)
      return refund.state
    case 'refused':
      await fail(tx, change, outcome.reason)
      return 'failed'
    case 'processing':
    case 'refunded': {
      const state = outcome.state === 'refunded' ? 'done' : 'processing'
      // The entry of a failed refund is reversed.
      const hasEntry = refund.ledgerEntryId !== null && refund.state !== 'failed'
      const entry = refund.inLedger && !hasEntry ? await addEntry(tx, change, outcome.refundRef) : refund.ledgerEntryId
      const isChanged = refund.state !== state
      await update(
        tx,
        refund,
        sql`state = ${state}, gateway_ref = ${outcome.refundRef || refund.gatewayRef}, ledger_entry_id = ${entry}, failure = null`,
        now,
      )
      if (isChanged)
        await addRefundEvent(tx, change, state === 'done' ? 'refund-done' : 'refund-accepted', { transaction_id: outcome.refundRef })
      return state
    }
  }
}

async function update(tx: Db, refund: GatewayRefund, set: ReturnType<typeof sql>, now: Date): Promise<void> {
  await sql`update gateway_refunds set ${set}, updated_at = ${now} where id = ${refund.id}`.execute(tx)
}

/** The first of some references that the ledger does not have; null when it has them all. */
async function unusedReference(tx: Db, { gateway }: GatewayRefund, references: readonly string[]): Promise<string | null> {
  for (const one of references) if (one !== '' && !(await isReferenceUsed(tx, gateway, one))) return one
  return null
}

/**
 * Adds the ledger entry under the gateway's id, or under ours if that id is used. Clears a flag that required the refund. An order that waits for
 * another payment gets the full time to pay: until now it was refused, because this money still counted.
 */
async function addEntry(tx: Db, { refund, now, expiry }: Change, ref: string): Promise<number> {
  const { gateway, refundId, orderId, createdBy } = refund
  const reference = await unusedReference(tx, refund, [ref, refundId])
  const amount = poisha(-refund.amountPoisha)
  const entryId = await addLedgerEntry(tx, { orderId, kind: 'refund', method: gateway, amount, reference, actorId: createdBy, at: now })
  await clearRefundFlag(tx, orderId)
  await sql`update orders o set version = version + 1, updated_at = ${now}, expires_at = case
      when expires_at is not null and amount_received(o) <= 0 then greatest(expires_at, ${expiresAt(now, 'gateway', expiry)}) else expires_at end
    where id = ${orderId}`.execute(tx)
  return entryId
}

async function fail(tx: Db, change: Change, reason: string): Promise<void> {
  const { refund, now } = change
  const { orderId, gateway, refundId, amountPoisha: amount } = refund
  const reference = await unusedReference(tx, refund, [`${refundId}-reversed`])
  const entry = { orderId, kind: 'refund', method: gateway, amount, reference, at: now } as const
  const reversal = refund.ledgerEntryId === null ? null : await addLedgerEntry(tx, { ...entry, actorId: change.by?.id ?? null })
  await update(tx, refund, sql`state = 'failed', failure = ${truncate(reason, MAX_FAILURE_LENGTH)}, reversal_entry_id = ${reversal}`, now)
  await sql`update orders set needs_attention = coalesce(needs_attention, 'refund-failed'), version = version + 1, updated_at = ${now}
    where id = ${refund.orderId}`.execute(tx)
  await addRefundEvent(tx, change, 'refund-failed', { reason: truncate(reason, MAX_FAILURE_LENGTH) })
}

async function addRefundEvent(tx: Db, { refund, by, now }: Change, kind: string, detail: object): Promise<void> {
  const all = { method: refund.gateway, amount: poishaToTaka(refund.amountPoisha), ...detail }
  await addOrderEvent(tx, refund.orderId, by ?? { kind: 'gateway', id: null }, now, { kind, detail: all })
}
