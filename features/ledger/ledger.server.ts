// The ledger of orders: entries are added and never changed. A trigger adds each entry to the order (`ledger_balance_poisha`: all entries,
// `refunded_poisha`, `settlement_poisha`). SQL `insert_pos_sales` adds the payments of a new sale itself, in its batch.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'
import type { LedgerKind, OrderMoney } from './rules.ts'

export interface LedgerEntry {
  orderId: number
  kind: LedgerKind
  /** bKash, cash, bank, …; `weighing` and `return` for settlements. */
  method: string
  /** Not zero. Received: above zero. Refunds, and settlements that raise the price: below zero. */
  amount: Poisha
  /** Unique per method; null for cash. */
  reference: string | null
  /** The member of staff; null for a gateway. */
  actorId: number | null
  at: Date
  /** The shift whose cash box it changes. */
  shiftId?: number
}

const insertEntry = (entry: LedgerEntry, onConflict: RawBuilder<unknown>) => sql<{ id: number }>`
  insert into ledger_entries (order_id, kind, method, amount_poisha, reference, actor_id, at, shift_id)
  values (${entry.orderId}, ${entry.kind}, ${entry.method}, ${entry.amount}, ${entry.reference}, ${entry.actorId}, ${entry.at},
    ${entry.shiftId ?? null}) ${onConflict} returning id`

/** Adds an entry and returns its id. A reference that the method has already violates `ledger_entries_method_reference_key`. */
export async function addLedgerEntry(tx: Db, entry: LedgerEntry): Promise<number> {
  const { rows } = await insertEntry(entry, sql``).execute(tx)
  return rows[0]!.id
}

/** Adds an entry unless its method and reference are in the ledger. True when it was added. */
export async function addLedgerEntryOnce(tx: Db, entry: LedgerEntry): Promise<boolean> {
  const { rows } = await insertEntry(entry, sql`on conflict (method, reference) do nothing`).execute(tx)
  return rows.length > 0
}

/** Whether the ledger has an entry of this method and reference. */
export async function isReferenceUsed(tx: Db, method: string, reference: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ledger_entries where method = ${method} and reference = ${reference}`.execute(tx)
  return rows.length > 0
}

/** The columns of `OrderMoney` for orders `o`. */
export const ORDER_MONEY: RawBuilder<OrderMoney> = sql`o.status, least(o.payable_poisha, o.total_poisha + o.settlement_poisha)::bigint as "payablePoisha",
  amount_received(o) as "paidPoisha", amount_due(o) as "duePoisha"`

/** The sums of an order; null when there is none. */
export async function findOrderMoney(db: Db, orderId: number): Promise<OrderMoney | null> {
  const { rows } = await sql<OrderMoney>`select ${ORDER_MONEY} from orders o where o.id = ${orderId}`.execute(db)
  return rows[0] ?? null
}
