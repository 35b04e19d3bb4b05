import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import { cleanText } from '#lib/text.ts'
import { expiresAt, type Expiry, isLive } from './rules.ts'
import { tidyTransactionId } from './transaction-id-rules.ts'
import type { AdvanceMethod, OrderJson } from './types.ts'

export type AdvanceRefusal = 'bad-transaction-id' | 'used-transaction-id' | 'order-ended' | 'nothing-due' | 'too-many'

const MOST_REPORTS = 5

/**
 * Keeps what a buyer says of a transfer sent by hand, for the staff to verify [M6]. One transaction serves one order. The order waits
 * for the verification from then on; a further report while one waits gives it no more time.
 */
export async function reportAdvance(
  db: Db,
  order: OrderJson,
  report: { method: AdvanceMethod; transaction_id: string; sender: string; amount?: number | null | undefined },
  now: Date,
  expiry: Expiry,
): Promise<{ ok: true; advance: OrderJson['advances'][number] } | { ok: false; reason: AdvanceRefusal }> {
  const transactionId = tidyTransactionId(report.transaction_id)
  if (!transactionId) return { ok: false, reason: 'bad-transaction-id' }
  if (!isLive(order.status)) return { ok: false, reason: 'order-ended' }
  if (order.due <= 0) return { ok: false, reason: 'nothing-due' }
  const known = order.advances.find((advance) => advance.transaction_id === transactionId && advance.method === report.method)
  if (known) return { ok: true, advance: known }
  if (order.advances.length >= MOST_REPORTS) return { ok: false, reason: 'too-many' }
  const amount =
    typeof report.amount === 'number' && report.amount >= 1 && report.amount <= order.due ? report.amount : order.payable || order.due
  const { rows } = await sql`
    with claim as (
      insert into advance_claims (order_id, method, transaction_id, sender, amount_poisha, created_at)
      values (${order.id}, ${report.method}, ${transactionId}, ${cleanText(report.sender).slice(0, 255)}, ${Math.round(amount * 100)}, ${now})
      on conflict (method, transaction_id) do nothing returning order_id),
    extended as (
      update orders o set expires_at = greatest(o.expires_at, ${expiresAt(now, 'reported', expiry)}) from claim
      where o.id = claim.order_id and o.expires_at is not null
        and not exists (select 1 from advance_claims c where c.order_id = o.id and c.state = 'waiting'))
    insert into order_events (order_id, at, actor, kind, detail)
    select order_id, ${now}, 'customer', 'advance-reported', ${JSON.stringify({ method: report.method, transaction_id: transactionId })}::jsonb from claim
    returning id`.execute(db)
  // Somebody was quicker: this very buyer with a second press of the button, or another order.
  if (rows.length === 0 && !(await isReportedFor(db, order.id, report.method, transactionId)))
    return { ok: false, reason: 'used-transaction-id' }
  return { ok: true, advance: { method: report.method, transaction_id: transactionId, amount, state: 'waiting', at: now.toISOString() } }
}

async function isReportedFor(db: Db, orderId: number, method: AdvanceMethod, transactionId: string): Promise<boolean> {
  const { rows } =
    await sql`select 1 from advance_claims where order_id = ${orderId} and method = ${method} and transaction_id = ${transactionId}`.execute(
      db,
    )
  return rows.length > 0
}
