import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import { type Actor as Auditor, audit } from '#features/audit/audit.server.ts'
import type { Settings } from '#features/settings/settings.ts'
import { orderSmsLang, orderSmsShop, queueOrderSms } from '#features/messaging/order-sms.server.ts'
import { isEnded } from '#features/ledger/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { poishaToTaka } from '#lib/format/money.ts'
import type { Poisha } from '#lib/format/money.ts'
import type { OrderStatus } from '../rules.ts'

// Reports of advances sent by hand. Several orders may report one transaction id; the staff verify one of them, which refuses the others.
// Lock order: the transaction id, then all orders that reported it by id, then their reports.

/** A report that waits for verification. */
export interface WaitingReport {
  id: number
  orderId: number
  status: OrderStatus
  lang: Lang
  method: string
  transactionId: string
  amountPoisha: Poisha
}

/** Serializes reports and verifications of one transaction id until the transaction ends. */
export async function lockTransactionId(tx: Db, method: string, transactionId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`advance ${method} ${transactionId}`}, 0))`.execute(tx)
}

/** Locks a transaction id, `orderId`, and every order with a waiting report of the id. Answers the waiting reports. */
export async function lockReports(tx: Db, method: string, transactionId: string, orderId: number): Promise<WaitingReport[]> {
  await lockTransactionId(tx, method, transactionId)
  const waiting = sql`from advance_reports where method = ${method} and transaction_id = ${transactionId} and state = 'waiting'`
  await sql`select 1 from orders where id = ${orderId} or id in (select order_id ${waiting}) order by id for update`.execute(tx)
  const { rows } = await sql<WaitingReport>`
    select c.id, c.order_id as "orderId", o.status, o.lang, c.method, c.transaction_id as "transactionId", c.amount_poisha as "amountPoisha"
    from (select * ${waiting}) c join orders o on o.id = c.order_id order by c.id`.execute(tx)
  return rows
}

export interface Refusing {
  clerk: Auditor
  now: Date
  settings: Settings
  publicUrl: string
}

/** Refuses reports for a reason: state, history, audit log, and an SMS where the order is live. The orders are locked. */
export async function refuseReports(
  tx: Db,
  reports: readonly WaitingReport[],
  reason: string | Record<Lang, string>,
  { clerk, now, settings, publicUrl }: Refusing,
): Promise<void> {
  const written = typeof reason === 'string' ? reason : `${reason.en} · ${reason.bn}`
  for (const report of reports) {
    const { orderId, method, transactionId } = report
    await sql`update advance_reports set state = 'refused', decided_at = ${now}, decided_by = ${clerk.id} where id = ${report.id}`.execute(
      tx,
    )
    await sql`update orders set version = version + 1, updated_at = ${now} where id = ${orderId}`.execute(tx)
    const detail = { method, transaction_id: transactionId, amount: poishaToTaka(report.amountPoisha), reason: written }
    await addOrderEvent(tx, orderId, { kind: 'staff', id: clerk.id }, now, { kind: 'advance-refused', detail })
    await audit(tx, clerk, { action: 'refused', subject: 'order', id: orderId, after: detail })
    if (isEnded(report.status)) continue
    const told = typeof reason === 'string' ? reason : reason[orderSmsLang(report.lang, settings)]
    const sms = { orderId, event: `advance-refused-${report.id}`, text: settings.messages.advanceRefused, more: { reason: told } }
    await queueOrderSms(tx, orderSmsShop(publicUrl, settings), sms)
  }
}

/** The reason that the other reports of a verified transaction id get. */
const VERIFIED_ELSEWHERE: Record<Lang, string> = {
  en: 'this transaction ID was verified for another order',
  bn: 'এই ট্রানজ্যাকশন আইডি অন্য অর্ডারের জন্য যাচাই হয়েছে',
}

/** Refuses the reports of other orders once a transaction id is in the ledger. Answers their orders. */
export async function refuseOtherReports(tx: Db, others: readonly WaitingReport[], refusing: Refusing): Promise<number[]> {
  await refuseReports(tx, others, VERIFIED_ELSEWHERE, refusing)
  return others.map(({ orderId }) => orderId)
}

/** Marks reports as verified. The database admits one verified report per transaction id. */
export async function markVerified(tx: Db, reportIds: readonly number[], clerkId: number, now: Date): Promise<void> {
  await sql`update advance_reports set state = 'verified', decided_at = ${now}, decided_by = ${clerkId} where id = any(${reportIds}::bigint[])`.execute(
    tx,
  )
}
