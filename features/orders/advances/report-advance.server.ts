import { sql } from 'kysely'
import { type OrderActor, addOrderEvent } from '#features/audit/order-events.server.ts'
import { audit } from '#features/audit/audit.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { type Poisha, poishaToTaka, readTaka, taka, takaToPoisha } from '#lib/format/money.ts'
import { sanitizeText } from '#lib/format/text.ts'
import { lockTransactionId } from './advance-reports.server.ts'
import { advanceToSend } from '../printing/invoice-rules.ts'
import { lockOrder, raiseOrderVersion } from '../order-locks.server.ts'
import { expiresAt, type Expiry } from '#features/payments/deadline-rules.ts'
import { isLive } from '../rules.ts'
import { normalizeTransactionId } from './transaction-id-rules.ts'
import type { AdvanceMethod, OrderJson } from '../types.ts'

export type AdvanceError = 'bad-transaction-id' | 'used-transaction-id' | 'order-ended' | 'nothing-due' | 'too-many'

type Report = OrderJson['advances'][number]
export type ReportResult = { ok: true; advance: Report } | { ok: false; reason: AdvanceError }

/** Maximum reports of one order, rejected ones included. */
const MAX_REPORTS = 5
/** Maximum orders that may wait with the same transaction id. */
const MAX_REPORTS_OF_TRANSACTION = 10
/** A stated amount below one taka is not used. */
const MIN_AMOUNT = taka(1)

export interface AdvanceReportBody {
  method: AdvanceMethod
  transaction_id: string
  sender: string
  amount?: number | null | undefined
}

/**
 * Records a transfer that the buyer sent by hand, for staff to verify [M6]. A repeated report returns the first one. An id that waits for
 * another order is recorded as a duplicate, so that a false report cannot block the payer. A verified id is rejected. The first waiting report
 * extends the payment deadline.
 */
export async function reportAdvance(
  db: Db,
  order: OrderJson,
  body: AdvanceReportBody,
  { now, actor, expiry }: { now: Date; actor: OrderActor; expiry: Expiry },
): Promise<ReportResult> {
  const { method } = body
  const transactionId = normalizeTransactionId(body.transaction_id, method)
  if (!transactionId) return { ok: false, reason: 'bad-transaction-id' }
  return inTransaction(db, async (tx): Promise<ReportResult> => {
    await lockTransactionId(tx, method, transactionId)
    const locked = await lockOrder(tx, order.id)
    if (!locked || !isLive(locked.status)) return { ok: false, reason: 'order-ended' }
    const known = await findKnown(tx, order.id, method, transactionId)
    if (known.own) return { ok: true, advance: known.own }
    if (locked.duePoisha <= 0) return { ok: false, reason: 'nothing-due' }
    if (known.isUsed) return { ok: false, reason: 'used-transaction-id' }
    if (known.reports >= MAX_REPORTS || known.waiting >= MAX_REPORTS_OF_TRANSACTION) return { ok: false, reason: 'too-many' }
    const amountPoisha = reportedAmount(readTaka(body.amount), order, locked.duePoisha)
    const amount = poishaToTaka(amountPoisha)
    const isDuplicate = known.waiting > 0
    await sql`update orders set expires_at = greatest(expires_at, ${expiresAt(now, 'reported', expiry)}) where id = ${order.id}
      and expires_at is not null and not exists (select 1 from advance_reports c where c.order_id = ${order.id} and c.state = 'waiting')`.execute(
      tx,
    )
    await sql`insert into advance_reports (order_id, method, transaction_id, sender, amount_poisha, is_duplicate, created_at)
      values (${order.id}, ${method}, ${transactionId}, ${sanitizeText(body.sender)}, ${amountPoisha}, ${isDuplicate}, ${now})`.execute(tx)
    // Staff who have the order open learn of the money before they cancel it.
    await raiseOrderVersion(tx, order.id, now)
    const detail = { method, transaction_id: transactionId, amount }
    await addOrderEvent(tx, order.id, actor, now, { kind: 'advance-reported', detail })
    if (actor.kind === 'staff') await audit(tx, actor, { action: 'reported', subject: 'order', id: order.id, after: detail })
    return {
      ok: true,
      advance: { method, transaction_id: transactionId, amount, state: 'waiting', is_duplicate: isDuplicate, at: now.toISOString() },
    }
  })
}

/** The stated amount if it is possible, else what was to be sent. At most the amount due of now: `order` was read before it was locked. */
function reportedAmount(stated: Poisha | null, order: OrderJson, due: Poisha): Poisha {
  if (stated !== null && stated >= MIN_AMOUNT && stated <= due) return stated
  const toSend = takaToPoisha(advanceToSend(order))
  return toSend > 0 && toSend < due ? toSend : due
}

interface Known {
  /** The order's own open report of the id. */
  own: Report | null
  reports: number
  /** Other orders that wait with the id. */
  waiting: number
  /** The id is verified for another order, or in the ledger. */
  isUsed: boolean
}

async function findKnown(tx: Db, orderId: number, method: AdvanceMethod, transactionId: string): Promise<Known> {
  const same = sql`c.method = ${method} and c.transaction_id = ${transactionId}`
  const { rows } = await sql<SnakeCased<Known>>`select
    (select json_build_object('method', method, 'transaction_id', transaction_id, 'amount', amount_poisha / 100.0, 'state', state,
        'is_duplicate', is_duplicate, 'at', created_at)
      from advance_reports c where order_id = ${orderId} and ${same} and state <> 'refused') as own,
    (select count(*)::int from advance_reports where order_id = ${orderId}) as reports,
    (select count(*)::int from advance_reports c where ${same} and state = 'waiting' and order_id <> ${orderId}) as waiting,
    exists (select 1 from advance_reports c where ${same} and state = 'verified')
      or exists (select 1 from ledger_entries where method = ${method} and reference = ${transactionId}) as is_used`.execute(tx)
  return toCamel<Known>(rows[0]!)
}
