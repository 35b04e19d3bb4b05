import { type RawBuilder, sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { type Actor, audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsLang, orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { isEnded } from '#features/ledger/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { toCamel } from '#lib/db/rows.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { poishaToTaka, type Poisha } from '#lib/format/money.ts'
import { raiseOrderVersion } from '../order-locks.server.ts'
import type { OrderStatus } from '../rules.ts'
import { IS_TO_SEND } from '../status-conditions.server.ts'
import type { AdvanceMethod } from '../types.ts'

// Reports of advances sent by hand. Several orders may report one transaction id. Staff verify one report, which rejects the others.
// Lock order: the transaction id, then by ascending id all orders that reported it, then their reports.

/** A report that waits for verification. */
export interface WaitingReport {
  id: number
  orderId: number
  status: OrderStatus
  lang: Lang
  method: AdvanceMethod
  transactionId: string
  amountPoisha: Poisha
}

/** The amount of a report `r` in poisha: what was recorded once it is verified, which may differ from what the customer stated. */
export const REPORT_AMOUNT: RawBuilder<Poisha> = sql`case when r.state <> 'verified' then r.amount_poisha else coalesce(
  (select amount_poisha from ledger_entries where method = r.method and reference = r.transaction_id and order_id = r.order_id),
  r.amount_poisha) end`

/** Serializes reports and verifications of one transaction id until the transaction ends. */
export async function lockTransactionId(tx: Db, method: string, transactionId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`advance ${method} ${transactionId}`}, 0))`.execute(tx)
}

/** Locks a transaction id, `orderId`, and every order with a waiting report of the id. Returns the waiting reports. */
export async function lockReports(tx: Db, method: AdvanceMethod, transactionId: string, orderId: number): Promise<WaitingReport[]> {
  await lockTransactionId(tx, method, transactionId)
  // Ids in one array: PostgreSQL reads all orders for an "or" with a list of another table.
  await sql`select 1 from orders where id = any(array(select order_id from advance_reports
      where method = ${method} and transaction_id = ${transactionId} and state = 'waiting' union all select ${orderId}::bigint))
    order by id for update`.execute(tx)
  const reports = await tx
    .selectFrom('advance_reports as r')
    .innerJoin('orders as o', 'o.id', 'r.order_id')
    .select(['r.id', 'r.order_id', 'o.status', 'o.lang', 'r.method', 'r.transaction_id', 'r.amount_poisha'])
    .where('r.method', '=', method)
    .where('r.transaction_id', '=', transactionId)
    .where('r.state', '=', 'waiting')
    .orderBy('r.id')
    .execute()
  return reports.map(toCamel<WaitingReport>)
}

/** The actor who rejects reports, and the data of the SMS. */
export interface RejectionContext {
  clerk: Actor
  now: Date
  settings: Settings
  publicUrl: string
}

/** Rejects reports for a reason: state, event, audit log, and an SMS for live orders. The orders must be locked. */
export async function rejectReports(
  tx: Db,
  reports: readonly WaitingReport[],
  reason: string | Record<Lang, string>,
  { clerk, now, settings, publicUrl }: RejectionContext,
): Promise<void> {
  const written = typeof reason === 'string' ? reason : `${reason.en} · ${reason.bn}`
  for (const report of reports) {
    const { orderId, method, transactionId } = report
    await tx
      .updateTable('advance_reports')
      .set({ state: 'refused', decided_at: now, decided_by: clerk.id, reason: written })
      .where('id', '=', report.id)
      .execute()
    await raiseOrderVersion(tx, orderId, now)
    const detail = { method, transaction_id: transactionId, amount: poishaToTaka(report.amountPoisha), reason: written }
    await addOrderEvent(tx, orderId, clerk, now, { kind: 'advance-refused', detail })
    await audit(tx, clerk, { action: 'refused', subject: 'order', id: orderId, after: detail })
    if (isEnded(report.status)) continue
    const ownReason = typeof reason === 'string' ? reason : reason[orderSmsLang(report.lang, settings)]
    // A customer who mistyped an id has often reported the right one, too: the SMS says which was not found.
    const more = { reason: `${transactionId}, ${ownReason}` }
    const sms = { orderId, event: `advance-refused-${report.id}`, text: await rejectionText(tx, orderId, settings), more }
    await queueOrderSms(tx, orderSmsShop(publicUrl, settings), sms)
  }
}

/** The SMS of a rejected report. It asks for the right transaction id while an advance is to be sent, not once the money came in another way. */
async function rejectionText(tx: Db, orderId: number, { messages, shop }: Settings): Promise<Record<Lang, string>> {
  const { rows } = await sql<{ is_awaited: boolean }>`
    select ${IS_TO_SEND} and amount_due(o) > 0 and greatest(still_payable(o), missing_advance(o)) > 0 as is_awaited
    from orders o where o.id = ${orderId}`.execute(tx)
  if (rows[0]!.is_awaited) return messages.advanceRefused
  const textIn = (lang: Lang) => translate(lang)('advances.refused-sms', { shop: shop.name[lang] })
  return { en: textIn('en'), bn: textIn('bn') }
}

/** The reason with which the other reports of a verified transaction id are rejected. */
const VERIFIED_ELSEWHERE: Record<Lang, string> = {
  en: 'this transaction ID was verified for another order',
  bn: 'এই ট্রানজ্যাকশন আইডি অন্য অর্ডারের জন্য যাচাই হয়েছে',
}

/** Rejects the reports of other orders when a transaction id enters the ledger. Returns the ids of their orders. */
export async function rejectOtherReports(tx: Db, others: readonly WaitingReport[], context: RejectionContext): Promise<number[]> {
  await rejectReports(tx, others, VERIFIED_ELSEWHERE, context)
  return others.map(({ orderId }) => orderId)
}

/** Marks reports as verified. The database admits one verified report per transaction id. */
export async function markVerified(tx: Db, reportIds: readonly number[], clerkId: number, now: Date): Promise<void> {
  await sql`update advance_reports set state = 'verified', decided_at = ${now}, decided_by = ${clerkId} where id = any(${reportIds}::bigint[])`.execute(
    tx,
  )
}
