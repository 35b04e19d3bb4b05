import { sql } from 'kysely'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { queuePaymentEmail } from '#features/messaging/queue-email.server.ts'
import { reverseRecovered } from '#features/ledger/adjustment-entries.server.ts'
import { findEntryOfReference, findOrderMoney } from '#features/ledger/ledger.server.ts'
import { isEnded } from '#features/ledger/rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'
import { sanitizeText } from '#lib/format/text.ts'
import {
  lockReports,
  markVerified,
  rejectOtherReports,
  rejectReports,
  type RejectionContext,
  type WaitingReport,
} from './advance-reports.server.ts'
import { lockOrder, type LockedOrder, raiseOrderVersion } from '../order-locks.server.ts'
import type { AdminDeps } from '../order-deps.ts'
import { isTooMuch, isUsedTransaction, writeEntry } from '../payments/record-payment.server.ts'

export type VerifyResult =
  /** `late`: the order had ended; the money is in the ledger and the order flagged. `refused`: orders whose report was rejected. */
  | { ok: true; orderId: number; late: boolean; refused: number[] }
  /** `too-much`: the corrected amount exceeds the amount due; accepted only when confirmed. */
  | { ok: false; reason: 'not-found' | 'used-transaction-id' | 'reason-required' | 'too-much' }
  | { ok: false; reason: 'decided'; state: 'verified' | 'refused'; orderId: number }

/** A report under decision, with the other waiting reports of its transaction id. All their orders are locked. */
interface Decision {
  tx: Db
  order: LockedOrder
  report: WaitingReport
  others: WaitingReport[]
  context: RejectionContext
}

/**
 * Verifies a reported advance [M6]: ledger entry, animals sold when the advance is covered, event, SMS. Rejects reports of the same transaction
 * id for other orders. Of two concurrent calls one verifies. `received.amount`: the amount where it differs from the report. Money that is in
 * the order's ledger already, as from a gateway, is not added again.
 */
export async function verifyAdvance(
  deps: AdminDeps,
  reportId: number,
  clerk: Actor,
  received: { amount: Poisha | null; confirmed: boolean } = { amount: null, confirmed: false },
): Promise<VerifyResult> {
  try {
    const result = await decide(deps, reportId, clerk, async (decision) => {
      const { tx, order, report, others, context } = decision
      if ((await findEntryOfReference(tx, report.method, report.transactionId))?.orderId === order.id) return closeRecorded(decision)
      const before = (await findOrderMoney(tx, order.id))!
      if (received.amount !== null && !received.confirmed && isTooMuch(received.amount, before)) return { ok: false, reason: 'too-much' }
      const { settings, now } = context
      const amount = received.amount ?? report.amountPoisha
      await reverseRecovered(tx, order.id, { before, amount }, clerk, now)
      await markVerified(tx, [report.id], clerk.id, now)
      const late = isEnded(order.status)
      const row = {
        kind: 'advance',
        amount,
        event: 'advance-verified',
        action: 'verified',
        method: report.method,
        reference: report.transactionId,
      } as const
      await writeEntry(tx, order, row, clerk, now)
      const sms = late
        ? { event: `payment-after-end-${report.id}`, text: settings.messages.paymentAfterEnd, more: { amount: row.amount } }
        : { event: `advance-verified-${report.id}`, text: await textOf(tx, order.id, settings) }
      await queueOrderSms(tx, orderSmsShop(deps.env.publicUrl, settings), { orderId: order.id, ...sms })
      await queuePaymentEmail(tx, { orderId: order.id, event: sms.event })
      return { ok: true, orderId: order.id, late, refused: await rejectOtherReports(tx, others, context) }
    })
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (isUsedTransaction(error)) return { ok: false, reason: 'used-transaction-id' }
    throw error
  }
}

/** The SMS of a verified advance. One that leaves a part of the advance to send does not say that the animal is booked. */
async function textOf(tx: Db, orderId: number, { messages }: Settings): Promise<Settings['messages']['advanceVerified']> {
  const { rows } = await sql<{ covered: boolean }>`
    select amount_due(o) <= 0 or greatest(still_payable(o), missing_advance(o)) <= 0 as covered from orders o where o.id = ${orderId}`.execute(
    tx,
  )
  return rows[0]!.covered ? messages.advanceVerified : messages.paymentReceived
}

/** Verifies a report whose money is in the order's ledger: without an entry and without another SMS. */
async function closeRecorded({ tx, order, report, others, context }: Decision): Promise<VerifyResult> {
  const { clerk, now } = context
  await markVerified(tx, [report.id], clerk.id, now)
  await raiseOrderVersion(tx, order.id, now)
  const detail = { method: report.method, transaction_id: report.transactionId }
  await addOrderEvent(tx, order.id, clerk, now, { kind: 'advance-verified', detail })
  await audit(tx, clerk, { action: 'verified', subject: 'order', id: order.id, after: detail })
  return { ok: true, orderId: order.id, late: isEnded(order.status), refused: await rejectOtherReports(tx, others, context) }
}

/** Rejects a reported advance that has not arrived. The buyer gets the reason by SMS and may report again. */
export async function rejectAdvance(deps: AdminDeps, reportId: number, reason: string, clerk: Actor): Promise<VerifyResult> {
  const reasonText = sanitizeText(reason)
  if (reasonText === '') return { ok: false, reason: 'reason-required' }
  return decide(deps, reportId, clerk, async ({ tx, order, report, context }) => {
    await rejectReports(tx, [report], reasonText, context)
    return { ok: true, orderId: order.id, late: false, refused: [] }
  })
}

/** Locks the report's transaction id and all orders that reported it, then decides. The second of two calls finds it decided. */
async function decide(
  deps: AdminDeps,
  reportId: number,
  clerk: Actor,
  write: (decision: Decision) => Promise<VerifyResult>,
): Promise<VerifyResult> {
  const settings = await deps.shopCache.settings()
  const context = { clerk, now: deps.now(), settings, publicUrl: deps.env.publicUrl }
  return inTransaction(deps.db, async (tx): Promise<VerifyResult> => {
    const reported = await tx
      .selectFrom('advance_reports')
      .select(['order_id', 'method', 'transaction_id'])
      .where('id', '=', reportId)
      .executeTakeFirst()
    if (!reported) return { ok: false, reason: 'not-found' }
    const waiting = await lockReports(tx, reported.method, reported.transaction_id, reported.order_id)
    const order = (await lockOrder(tx, reported.order_id))!
    const report = waiting.find(({ id }) => id === reportId)
    if (!report) return { ok: false, reason: 'decided', state: await stateOf(tx, reportId), orderId: order.id }
    return write({ tx, order, report, others: waiting.filter(({ id }) => id !== reportId), context })
  })
}

async function stateOf(tx: Db, reportId: number): Promise<'verified' | 'refused'> {
  const { state } = await tx.selectFrom('advance_reports').select('state').where('id', '=', reportId).executeTakeFirstOrThrow()
  if (state === 'waiting') throw new Error(`advance report ${reportId} is still waiting`)
  return state
}
