import { sql } from 'kysely'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { isEnded } from '#features/ledger/rules.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'
import { sanitizeText } from '#lib/format/text.ts'
import {
  lockReports,
  markVerified,
  refuseOtherReports,
  refuseReports,
  type Refusing,
  type WaitingReport,
} from './advance-reports.server.ts'
import { lockOrder, type LockedOrder } from '../order-locks.server.ts'
import type { AdvanceMethod } from '../types.ts'
import type { AdminDeps, StaffActor } from '../order-deps.ts'
import { isTooMuch, isUsedTransaction, writeRow } from '../payments/record-payment.server.ts'

export type VerifyResult =
  /** `late`: the order had ended; the money is in the ledger and flagged. `refused`: other orders whose report of the id was refused. */
  | { ok: true; orderId: number; late: boolean; refused: number[] }
  /** `too-much`: another sum than was reported, above the amount due; accepted only when sent again as confirmed. */
  | { ok: false; reason: 'not-found' | 'used-transaction-id' | 'reason-required' | 'too-much' }
  | { ok: false; reason: 'decided'; state: 'verified' | 'refused' }

/** A report under decision, with the other waiting reports of its transaction id. All their orders are locked. */
interface Decision {
  tx: Db
  order: LockedOrder
  report: WaitingReport
  others: WaitingReport[]
  refusing: Refusing
}

/**
 * Records in one press that an advance has come [M6]: ledger entry, animals sold once it covers their advance, history, SMS. Reports of the
 * same transaction id for other orders are refused. Of two calls at once one verifies. `came` is the sum where it differs from the report.
 */
export async function verifyAdvance(
  deps: AdminDeps,
  claimId: number,
  clerk: StaffActor,
  came: { amount: Poisha | null; confirmed: boolean } = { amount: null, confirmed: false },
): Promise<VerifyResult> {
  try {
    const result = await decide(deps, claimId, clerk, async ({ tx, order, report, others, refusing }) => {
      if (came.amount !== null && !came.confirmed && isTooMuch(came.amount, order)) return { ok: false, reason: 'too-much' }
      const { settings, now } = refusing
      await markVerified(tx, [report.id], clerk.id, now)
      const late = isEnded(order.status)
      if (late) await sql`update orders set needs_attention = 'paid-after-end' where id = ${order.id}`.execute(tx)
      const row = {
        kind: 'advance',
        amount: came.amount ?? report.amountPoisha,
        event: 'advance-verified',
        action: 'verified',
        method: report.method as AdvanceMethod,
        reference: report.transactionId,
      } as const
      await writeRow(tx, order, row, clerk, now)
      const sms = late
        ? { event: `payment-after-end-${report.id}`, text: settings.messages.paymentAfterEnd, more: { amount: row.amount } }
        : { event: `advance-verified-${report.id}`, text: settings.messages.advanceVerified }
      await queueOrderSms(tx, orderSmsShop(deps.env.publicUrl, settings), { orderId: order.id, ...sms })
      return { ok: true, orderId: order.id, late, refused: await refuseOtherReports(tx, others, refusing) }
    })
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (isUsedTransaction(error)) return { ok: false, reason: 'used-transaction-id' }
    throw error
  }
}

/** Records that a reported advance has not come, and why; the buyer gets an SMS and may report again. */
export async function refuseAdvance(deps: AdminDeps, claimId: number, reason: string, clerk: StaffActor): Promise<VerifyResult> {
  const why = sanitizeText(reason).slice(0, 255)
  if (why === '') return { ok: false, reason: 'reason-required' }
  return decide(deps, claimId, clerk, async ({ tx, order, report, refusing }) => {
    await refuseReports(tx, [report], why, refusing)
    return { ok: true, orderId: order.id, late: false, refused: [] }
  })
}

/** Locks the report's transaction id and all orders that reported it, then decides. The second of two calls finds it decided. */
async function decide(
  deps: AdminDeps,
  claimId: number,
  clerk: StaffActor,
  write: (decision: Decision) => Promise<VerifyResult>,
): Promise<VerifyResult> {
  const settings = await deps.facts.settings()
  const refusing = { clerk, now: deps.now(), settings, publicUrl: deps.env.publicUrl }
  return inTransaction(deps.db, async (tx): Promise<VerifyResult> => {
    const { rows } = await sql<{ orderId: number; method: string; transactionId: string }>`
      select order_id as "orderId", method, transaction_id as "transactionId" from advance_reports where id = ${claimId}`.execute(tx)
    const claim = rows[0]
    if (!claim) return { ok: false, reason: 'not-found' }
    const waiting = await lockReports(tx, claim.method, claim.transactionId, claim.orderId)
    const order = (await lockOrder(tx, claim.orderId))!
    const report = waiting.find(({ id }) => id === claimId)
    if (!report) return { ok: false, reason: 'decided', state: await stateOf(tx, claimId) }
    return write({ tx, order, report, others: waiting.filter(({ id }) => id !== claimId), refusing })
  })
}

async function stateOf(tx: Db, claimId: number): Promise<'verified' | 'refused'> {
  const { rows } = await sql<{ state: 'verified' | 'refused' }>`select state from advance_reports where id = ${claimId}`.execute(tx)
  return rows[0]!.state
}
