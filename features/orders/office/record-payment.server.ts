import { sql } from 'kysely'
import { audit } from '#features/audit/audit.server.ts'
import { sellPaidAnimals } from '#features/payments/commands/sell-animals.server.ts'
import { findPayableOrder } from '#features/payments/queries.server.ts'
import { attentionFor } from '#features/payments/settlement-rules.ts'
import { constraintOf, type Db, inTransaction } from '#lib/db.server.ts'
import { poisha, poishaToTaka } from '#lib/money.ts'
import type { Poisha } from '#lib/money.ts'
import { lockOrder, type LockedOrder, noteOrder } from '../order-writes.server.ts'
import { tidyTransactionId } from '../transaction-id-rules.ts'
import type { LedgerKind } from '../types.ts'
import { type OfficeMethod, paymentKind, tooMuchOf } from './ledger-rules.ts'
import type { OfficeDeps, OrderClerk } from './office-deps.ts'

export interface LedgerForm {
  method: OfficeMethod
  amount: Poisha
  /** The bank's or the wallet's; cash has none. */
  transaction_id: string
  /** The version of the order that the clerk saw: a second press of the button is not a second payment. */
  version: number
  /** That it is more than is due is meant. */
  confirmed: boolean
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
 * Enters money that somebody of the staff took or found to have come. More than is due is asked about first: a slip of the finger looks
 * the same. For an order that has ended it is kept and flagged.
 */
export function recordPayment(deps: OfficeDeps, orderId: number, form: LedgerForm, clerk: OrderClerk): Promise<LedgerResult> {
  return enterRow(deps, orderId, form, clerk, async (tx, order) => {
    if (!form.confirmed && isTooMuch(form.amount, order)) return 'too-much'
    const money = (await findPayableOrder(tx, orderId))!
    const late = attentionFor(money) === 'paid-after-end'
    if (late) await sql`update orders set needs_attention = 'paid-after-end' where id = ${orderId}`.execute(tx)
    return { kind: paymentKind(order.status, form.method), amount: form.amount, event: 'payment-recorded', action: 'paid' }
  })
}

/** Enters money that went back to the customer; what is flagged as paid too late or twice is settled by it when nothing too much is left. */
export function recordRefund(deps: OfficeDeps, orderId: number, form: LedgerForm, clerk: OrderClerk): Promise<LedgerResult> {
  return enterRow(deps, orderId, form, clerk, async (tx) => {
    const { paidPoisha } = (await findPayableOrder(tx, orderId))!
    if (paidPoisha <= 0) return 'nothing-paid'
    if (form.amount > paidPoisha) return 'more-than-paid'
    await sql`update orders set needs_attention = null where id = ${orderId} and needs_attention in ('paid-after-end', 'paid-twice')
      and ${paidPoisha - form.amount}::bigint <= case when status in ('cancelled', 'returned') then 0 else total_poisha end`.execute(tx)
    return { kind: 'refund', amount: poisha(-form.amount), event: 'refund-recorded', action: 'refunded' }
  })
}

export function isTooMuch(amount: Poisha, { status, totalPoisha, bookedPoisha }: LockedOrder): boolean {
  return tooMuchOf(amount, { status, total: totalPoisha, paid: bookedPoisha }) > 0
}

interface Row {
  kind: LedgerKind
  amount: Poisha
  event: string
  action: 'paid' | 'refunded' | 'verified'
}

async function enterRow(
  deps: OfficeDeps,
  orderId: number,
  form: LedgerForm,
  clerk: OrderClerk,
  decide: (tx: Db, order: LockedOrder) => Promise<Row | LedgerRefusal>,
): Promise<LedgerResult> {
  const reference = form.method === 'cash' ? null : tidyTransactionId(form.transaction_id)
  if (form.method !== 'cash' && reference === null) return { ok: false, reason: 'bad-transaction-id' }
  try {
    const result = await inTransaction(deps.db, async (tx): Promise<LedgerResult> => {
      const order = await lockOrder(tx, orderId)
      if (!order) return { ok: false, reason: 'not-found' }
      if (order.version !== form.version) return { ok: false, reason: 'changed' }
      const row = await decide(tx, order)
      if (typeof row === 'string') return { ok: false, reason: row }
      await writeRow(tx, order, { ...row, method: form.method, reference }, clerk, deps.now())
      return { ok: true, version: order.version + 1 }
    })
    if (result.ok) deps.catalogueChanged()
    return result
  } catch (error) {
    // Two orders with one transaction: the database has counted it once already.
    if (constraintOf(error) === 'ledger_entries_method_reference_key') return { ok: false, reason: 'used-transaction-id' }
    throw error
  }
}

/** Adds a row to the ledger with all that follows: animals sold when they are paid, the clock stopped, history and log. */
export async function writeRow(
  tx: Db,
  order: LockedOrder,
  row: Row & { method: OfficeMethod; reference: string | null },
  clerk: Pick<OrderClerk, 'id' | 'ip'>,
  now: Date,
): Promise<void> {
  await sql`insert into ledger_entries (order_id, kind, method, amount_poisha, reference, actor_id, at)
    values (${order.id}, ${row.kind}, ${row.method}, ${row.amount}, ${row.reference}, ${clerk.id}, ${now})`.execute(tx)
  await sql`update orders set expires_at = null, version = version + 1, updated_at = ${now} where id = ${order.id}`.execute(tx)
  const detail = { method: row.method, amount: poishaToTaka(row.amount), transaction_id: row.reference }
  await noteOrder(tx, order.id, { kind: 'staff', id: clerk.id }, now, { kind: row.event, detail })
  await audit(tx, clerk, { action: row.action, subject: 'order', id: order.id, after: detail })
  await sellPaidAnimals(tx, order.id)
}
