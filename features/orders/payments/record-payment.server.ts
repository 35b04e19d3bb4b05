import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { sellPaidAnimals } from '#features/payments/commands/mark-animals-sold.server.ts'
import { findPayableOrder } from '#features/payments/queries.server.ts'
import { sumOfRefundsUnderWay } from '#features/payments/refunds/queries.server.ts'
import { isEnded } from '#features/ledger/rules.ts'
import { attentionFor } from '#features/payments/payment-verification-rules.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { poisha, poishaToTaka } from '#lib/format/money.ts'
import type { Poisha } from '#lib/format/money.ts'
import { lockReports, markVerified, refuseOtherReports } from '../advances/advance-reports.server.ts'
import { lockOrder, type LockedOrder } from '../order-locks.server.ts'
import { normalizeTransactionId } from '../advances/transaction-id-rules.ts'
import { addLedgerEntry } from '#features/ledger/ledger.server.ts'
import type { LedgerKind } from '#features/ledger/rules.ts'
import { type AdminMethod, paymentKind, tooMuchOf } from './ledger-rules.ts'
import type { AdminDeps, StaffActor } from '../order-deps.ts'

export interface LedgerForm {
  method: AdminMethod
  amount: Poisha
  /** The bank's or the wallet's; cash has none. */
  transaction_id: string
  /** The version of the order that the clerk saw: a second press of the button is not a second payment. */
  version: number
  /** That it is more than is due is meant. */
  confirmed: boolean
  /** Sends the SMS of a payment to the customer. */
  notify: boolean
}

/** `too-much`: kept only when it is sent again as confirmed. */
export type LedgerRefusal =
  | 'not-found'
  | 'changed'
  | 'bad-transaction-id'
  | 'used-transaction-id'
  | 'too-much'
  | 'nothing-paid'
  | 'more-than-paid'
export type LedgerResult = { ok: true; version: number } | { ok: false; reason: LedgerRefusal }

/**
 * Records money that the staff took or found to have come. A sum above the amount due must be confirmed. For an ended order it is recorded
 * and flagged. A waiting report of the same transaction becomes verified; reports of it for other orders are refused.
 */
export function recordPayment(deps: AdminDeps, orderId: number, form: LedgerForm, clerk: StaffActor): Promise<LedgerResult> {
  return enterRow(deps, orderId, form, clerk, async (tx, order) => {
    if (!form.confirmed && isTooMuch(form.amount, order)) return 'too-much'
    const money = (await findPayableOrder(tx, orderId))!
    const late = attentionFor(money) === 'paid-after-end'
    if (late) await sql`update orders set needs_attention = 'paid-after-end' where id = ${orderId}`.execute(tx)
    return {
      kind: paymentKind(order.status, form.method),
      amount: form.amount,
      event: 'payment-recorded',
      action: 'paid',
      closesReports: true,
      notify: form.notify,
    }
  })
}

/** Enters money that went back to the customer; what is flagged as paid too late or twice is settled by it when nothing too much is left. */
export function recordRefund(deps: AdminDeps, orderId: number, form: LedgerForm, clerk: StaffActor): Promise<LedgerResult> {
  return enterRow(deps, orderId, form, clerk, async (tx) => {
    const { paidPoisha } = (await findPayableOrder(tx, orderId))!
    if (paidPoisha <= 0) return 'nothing-paid'
    if (form.amount > paidPoisha - (await sumOfRefundsUnderWay(tx, orderId))) return 'more-than-paid'
    await sql`update orders o set needs_attention = null where id = ${orderId} and needs_attention in ('paid-after-end', 'paid-twice')
      and amount_due(o) + ${form.amount} >= 0`.execute(tx)
    return { kind: 'refund', amount: poisha(-form.amount), event: 'refund-recorded', action: 'refunded' }
  })
}

export function isTooMuch(amount: Poisha, { duePoisha }: LockedOrder): boolean {
  return tooMuchOf(amount, duePoisha) > 0
}

interface Row {
  kind: LedgerKind
  amount: Poisha
  event: string
  action: 'paid' | 'refunded' | 'verified'
  /** Reports of the same transaction are decided by this entry. */
  closesReports?: boolean
  notify?: boolean
}

async function enterRow(
  deps: AdminDeps,
  orderId: number,
  form: LedgerForm,
  clerk: StaffActor,
  decide: (tx: Db, order: LockedOrder) => Promise<Row | LedgerRefusal>,
): Promise<LedgerResult> {
  const reference = form.method === 'cash' ? null : normalizeTransactionId(form.transaction_id)
  if (form.method !== 'cash' && reference === null) return { ok: false, reason: 'bad-transaction-id' }
  const refusing = { clerk, now: deps.now(), settings: await deps.facts.settings(), publicUrl: deps.env.publicUrl }
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<LedgerResult> => {
      const reports = reference === null ? [] : await lockReports(tx, form.method, reference, orderId)
      const order = await lockOrder(tx, orderId)
      if (!order) return { ok: false, reason: 'not-found' }
      if (order.version !== form.version) return { ok: false, reason: 'changed' }
      const row = await decide(tx, order)
      if (typeof row === 'string') return { ok: false, reason: row }
      const corrects = row.notify === true && (await correctsRefusal(tx, orderId))
      const entryId = await writeRow(tx, order, { ...row, method: form.method, reference }, clerk, refusing.now)
      if (row.closesReports) {
        const own = reports.filter((report) => report.orderId === orderId)
        await markVerified(
          tx,
          own.map(({ id }) => id),
          clerk.id,
          refusing.now,
        )
        await refuseOtherReports(
          tx,
          reports.filter((report) => report.orderId !== orderId),
          refusing,
        )
      }
      if (row.notify) await sendPaymentSms(tx, order, { entryId, amount: row.amount, corrects }, refusing)
      return { ok: true, version: order.version + 1 }
    })
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (isUsedTransaction(error)) return { ok: false, reason: 'used-transaction-id' }
    throw error
  }
}

/** True for the database errors that say: this transaction id is in the ledger, or verified, already. */
export function isUsedTransaction(error: unknown): boolean {
  return ['ledger_entries_method_reference_key', 'advance_claims_verified'].includes(constraintOf(error) ?? '')
}

/** Adds a row to the ledger with all that follows, and answers its id: animals sold when they are paid, the clock stopped, history and log. */
export async function writeRow(
  tx: Db,
  order: LockedOrder,
  row: Row & { method: AdminMethod; reference: string | null },
  clerk: Pick<StaffActor, 'id' | 'ip'>,
  now: Date,
): Promise<number> {
  const { kind, method, amount, reference } = row
  const entryId = await addLedgerEntry(tx, { orderId: order.id, kind, method, amount, reference, actorId: clerk.id, at: now })
  await sql`update orders set expires_at = null, version = version + 1, updated_at = ${now} where id = ${order.id}`.execute(tx)
  const detail = { method: row.method, amount: poishaToTaka(row.amount), transaction_id: row.reference }
  await addOrderEvent(tx, order.id, { kind: 'staff', id: clerk.id }, now, { kind: row.event, detail })
  await audit(tx, clerk, { action: row.action, subject: 'order', id: order.id, after: detail })
  await sellPaidAnimals(tx, order.id)
  return entryId
}

/** True when the last SMS about money said that an advance was not found: its refusal is newer than the last payment. */
async function correctsRefusal(tx: Db, orderId: number): Promise<boolean> {
  const { rows } = await sql<{ corrects: boolean }>`select exists (
    select 1 from advance_reports c where c.order_id = ${orderId} and c.state = 'refused' and not exists (
      select 1 from ledger_entries e where e.order_id = c.order_id and e.kind <> 'settlement' and e.amount_poisha > 0 and e.at >= c.decided_at)
    ) as corrects`.execute(tx)
  return rows[0]!.corrects
}

/** Queues the SMS of one recorded payment, once for its ledger entry, in the transaction of the entry. */
async function sendPaymentSms(
  tx: Db,
  order: LockedOrder,
  paid: { entryId: number; amount: Poisha; corrects: boolean },
  { settings, publicUrl }: { settings: Settings; publicUrl: string },
): Promise<void> {
  const { paymentAfterEnd, paymentFound, paymentReceived } = settings.messages
  const text = isEnded(order.status) ? paymentAfterEnd : paid.corrects ? paymentFound : paymentReceived
  const sms = { orderId: order.id, event: `payment-recorded-${paid.entryId}`, text, more: { amount: paid.amount } }
  await queueOrderSms(tx, orderSmsShop(publicUrl, settings), sms)
}
