import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { queuePaymentEmail } from '#features/messaging/queue-email.server.ts'
import { sellPaidAnimals } from '#features/payments/commands/mark-animals-sold.server.ts'
import { isSentBack, sumOfRefundsUnderWay } from '#features/payments/refunds/queries.server.ts'
import { excessOf, isEnded, type LedgerKind, type OrderMoney, recoveredOf } from '#features/ledger/rules.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { type Poisha, poisha, poishaToTaka } from '#lib/format/money.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import {
  lockReports,
  markVerified,
  rejectOtherReports,
  type RejectionContext,
  type WaitingReport,
} from '../advances/advance-reports.server.ts'
import { lockOrder, type LockedOrder } from '../order-locks.server.ts'
import { normalizeTransactionId } from '../advances/transaction-id-rules.ts'
import { clearRefundFlag } from '#features/ledger/attention.server.ts'
import { reverseRecovered } from '#features/ledger/adjustment-entries.server.ts'
import { addLedgerEntry, findOrderMoney, IS_MONEY, USED_TRANSACTION } from '#features/ledger/ledger.server.ts'
import { type AdminMethod, paymentKind, refundLimitError, type RefundLimitError } from './ledger-rules.ts'
import { lockOrderDrawer, moveOrderCash, type OrderCash, refusesOrderCash } from './order-drawer.server.ts'
import type { AdminDeps } from '../order-deps.ts'

export interface LedgerForm {
  method: AdminMethod
  amount: Poisha
  /** The transaction id of the bank or wallet; empty for cash. */
  transaction_id: string
  /** The version of the order that the clerk saw. It rejects a repeated request. */
  version: number
  /** The clerk confirmed an amount above the amount due. */
  confirmed: boolean
  /** Whether the customer gets the SMS of a payment. */
  notify: boolean
  /** Cash goes through the drawer of the clerk's open shift, whose reports are in this language; null for other cash. */
  drawer: Lang | null
}

/** `too-much`: above the amount due, and not confirmed. `more-than-there-is`: the drawer does not hold the refund. */
export type LedgerError =
  | 'not-found'
  | 'changed'
  | 'bad-transaction-id'
  | 'used-transaction-id'
  | 'too-much'
  | RefundLimitError
  | 'no-shift'
  | 'more-than-there-is'
export type LedgerResult = { ok: true; version: number } | { ok: false; reason: LedgerError }

/**
 * Records money that staff received or found on a statement. An amount above the amount due must be confirmed, unless it pays what was
 * written off: that much of the write-off is reversed. A waiting report of the same
 * transaction id is verified; reports of it for other orders are rejected.
 */
export function recordPayment(deps: AdminDeps, orderId: number, form: LedgerForm, clerk: Actor): Promise<LedgerResult> {
  return addToLedger(deps, orderId, { ...form, signed: form.amount }, clerk, async (tx, order) => {
    const before = (await findOrderMoney(tx, orderId))!
    if (!form.confirmed && isTooMuch(form.amount, before)) return 'too-much'
    await reverseRecovered(tx, orderId, { before, amount: form.amount }, clerk, deps.now())
    return {
      kind: paymentKind(order, form.method),
      amount: form.amount,
      event: 'payment-recorded',
      action: 'paid',
      closesReports: true,
      notify: form.notify,
    }
  })
}

/** Whether a payment exceeds what is due and what was written off. */
export function isTooMuch(amount: Poisha, { duePoisha: due, writtenOffPoisha: writtenOff }: OrderMoney): boolean {
  return excessOf(amount, due) > recoveredOf(amount, { due, writtenOff })
}

/** Records money paid back to the customer. Clears the flag of a late or double payment when nothing more is to be refunded. */
export function recordRefund(deps: AdminDeps, orderId: number, form: LedgerForm, clerk: Actor): Promise<LedgerResult> {
  return addToLedger(deps, orderId, { ...form, signed: poisha(-form.amount) }, clerk, async (tx) => {
    const error = refundLimitError(form.amount, (await findOrderMoney(tx, orderId))!, await sumOfRefundsUnderWay(tx, orderId))
    if (error) return error
    await clearRefundFlag(tx, orderId, form.amount)
    return { kind: 'refund', amount: poisha(-form.amount), event: 'refund-recorded', action: 'refunded' }
  })
}

interface StaffEntry {
  kind: LedgerKind
  amount: Poisha
  event: string
  action: 'paid' | 'refunded' | 'verified'
  /** Whether the entry decides the waiting reports of its transaction id. */
  closesReports?: boolean
  notify?: boolean
}

async function addToLedger(
  deps: AdminDeps,
  orderId: number,
  form: LedgerForm & { signed: Poisha },
  clerk: Actor,
  decide: (tx: Db, order: LockedOrder) => Promise<StaffEntry | LedgerError>,
): Promise<LedgerResult> {
  const reference = form.method === 'cash' ? null : normalizeTransactionId(form.transaction_id, form.method)
  if (form.method !== 'cash' && reference === null) return { ok: false, reason: 'bad-transaction-id' }
  const context = { clerk, now: deps.now(), settings: await deps.shopCache.settings(), publicUrl: deps.env.publicUrl }
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<LedgerResult> => {
      const reports = form.method === 'cash' || reference === null ? [] : await lockReports(tx, form.method, reference, orderId)
      const drawer = await lockOrderDrawer(tx, clerk, form.method === 'cash' ? form.drawer : null)
      const order = await lockOrder(tx, orderId)
      if (!order) return { ok: false, reason: 'not-found' }
      if (order.version !== form.version) return { ok: false, reason: 'changed' }
      if (drawer === 'closed') return { ok: false, reason: 'no-shift' }
      const cash = { amount: form.signed, drawer }
      if (await refusesOrderCash(tx, orderId, cash, clerk)) return { ok: false, reason: 'more-than-there-is' }
      const entry = await decide(tx, order)
      if (typeof entry === 'string') return { ok: false, reason: entry }
      await moveOrderCash(tx, orderId, cash, clerk, context.now)
      const corrects = entry.notify === true && (await correctsRejection(tx, orderId))
      const entryId = await writeEntry(tx, order, { ...entry, method: form.method, reference }, clerk, context.now)
      if (entry.closesReports) await decideReports(tx, orderId, reports, context)
      if (entry.notify) await sendPaymentSms(tx, order, { entryId, amount: entry.amount, corrects }, context)
      return { ok: true, version: order.version + 1 }
    })
    if (result.ok) deps.catalogChanged()
    return result
  } catch (error) {
    if (isUsedTransaction(error)) return { ok: false, reason: 'used-transaction-id' }
    throw error
  }
}

/** Money that was paid before its order was written. `reference`: the normalized transaction id, null for cash. */
export interface NewOrderPayment extends OrderCash {
  method: AdminMethod
  reference: string | null
}

/**
 * Locks the transaction id and its waiting reports before the order is written (lock order). The returned function records the payment, as
 * `recordPayment` does, and returns one that queues its SMS. A transaction id that was used violates a constraint (`isUsedTransaction`).
 */
export async function prepareNewOrderPayment(
  tx: Db,
  payment: NewOrderPayment,
  context: RejectionContext,
): Promise<(orderId: number) => Promise<() => Promise<void>>> {
  const { method, amount, reference } = payment
  const reports = method === 'cash' || reference === null ? [] : await lockReports(tx, method, reference, 0)
  return async (orderId) => {
    const order = await lockOrder(tx, orderId)
    if (!order) throw new Error(`the new order ${orderId} does not exist`)
    const kind = paymentKind(order, method)
    const entry = { kind, method, amount, reference, event: 'payment-recorded', action: 'paid' as const }
    const entryId = await writeEntry(tx, order, entry, context.clerk, context.now)
    await moveOrderCash(tx, orderId, payment, context.clerk, context.now)
    await decideReports(tx, orderId, reports, context)
    return () => sendPaymentSms(tx, order, { entryId, amount, corrects: false }, context)
  }
}

/** Verifies the reports of the order and rejects those of other orders. */
async function decideReports(tx: Db, orderId: number, reports: readonly WaitingReport[], context: RejectionContext): Promise<void> {
  const [own, others] = [true, false].map((isOwn) => reports.filter((report) => (report.orderId === orderId) === isOwn))
  const ids = own!.map(({ id }) => id)
  await markVerified(tx, ids, context.clerk.id, context.now)
  await rejectOtherReports(tx, others!, context)
}

/** The money of this transaction id was rejected, and goes back to its customer. */
class SentBackError extends Error {}

/** Whether an error means that the transaction id is already in the ledger or verified, or that its money goes back. */
export function isUsedTransaction(error: unknown): boolean {
  if (error instanceof SentBackError) return true
  return [USED_TRANSACTION, 'advance_reports_verified'].includes(constraintOf(error) ?? '')
}

/**
 * Adds a ledger entry of the staff and returns its id. Removes the payment deadline, adds event and audit entry, and marks paid animals as
 * sold. Money for an ended order flags the order.
 */
export async function writeEntry(
  tx: Db,
  order: LockedOrder,
  entry: StaffEntry & { method: AdminMethod; reference: string | null },
  clerk: Actor,
  now: Date,
): Promise<number> {
  const { kind, method, amount, reference } = entry
  if (amount > 0 && (await isSentBack(tx, method, reference))) throw new SentBackError()
  const flag = amount > 0 && isEnded(order.status) ? sql`'paid-after-end'` : sql`needs_attention`
  const entryId = await addLedgerEntry(tx, { orderId: order.id, kind, method, amount, reference, actorId: clerk.id, at: now })
  await sql`update orders set needs_attention = ${flag}, expires_at = null, version = version + 1, updated_at = ${now}
    where id = ${order.id}`.execute(tx)
  const detail = { method, amount: poishaToTaka(amount), transaction_id: reference }
  await addOrderEvent(tx, order.id, clerk, now, { kind: entry.event, detail })
  await audit(tx, clerk, { action: entry.action, subject: 'order', id: order.id, after: detail })
  await sellPaidAnimals(tx, order.id)
  return entryId
}

/** Whether the last SMS about money was a rejected advance: the rejection is newer than the last payment. */
async function correctsRejection(tx: Db, orderId: number): Promise<boolean> {
  const { rows } = await sql<{ corrects: boolean }>`select exists (
    select 1 from advance_reports c where c.order_id = ${orderId} and c.state = 'refused' and not exists (
      select 1 from ledger_entries e where e.order_id = c.order_id and ${IS_MONEY} and e.amount_poisha > 0 and e.at >= c.decided_at)
    ) as corrects`.execute(tx)
  return rows[0]!.corrects
}

/** Queues the SMS of a recorded payment. Its event has the id of the ledger entry, so each entry sends one SMS. */
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
  await queuePaymentEmail(tx, { orderId: order.id, event: sms.event })
}
