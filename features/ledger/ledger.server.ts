// The ledger of orders: entries are added and never changed. A trigger adds each entry to the order (`ledger_balance_poisha`: all entries,
// `refunded_poisha`, `settlement_poisha`, `fee_poisha`, `written_off_poisha`). SQL `insert_pos_sales` adds the payments of a new sale itself, in its batch.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import type { Poisha } from '#lib/format/money.ts'
import { ADJUSTMENT_KINDS, type LedgerKind, type OrderMoney, PRICE_KINDS } from './rules.ts'

export interface LedgerEntry {
  /** Null for a refund of a return without a receipt, which `returnId` names. */
  orderId: number | null
  kind: LedgerKind
  /** bKash, cash, bank, …; `weighing` for settlements; of returns, fees and write-offs their kind. */
  method: string
  /** Never zero. Positive: money received, or a lower price. Negative: a refund, or a higher price. */
  amount: Poisha
  /** Unique per method; null for cash. */
  reference: string | null
  /** The user id of the member of staff; null for a gateway. */
  actorId: number | null
  at: Date
  /** The POS shift whose expected cash the entry changes. */
  shiftId?: number
  /** The payment on account of which the entry is a part. */
  accountPaymentId?: number
  returnId?: number
}

/** Whether a ledger entry is money received or paid back, and not a change of the price. */
export const IS_MONEY: RawBuilder<boolean> = sql`kind not in (${sql.join(PRICE_KINDS.map((kind) => sql.lit(kind)))})`

/** Whether a ledger entry is a fee retained or a write-off. The predicate of the index `ledger_entries_adjustments`. */
export const IS_ADJUSTMENT: RawBuilder<boolean> = sql`kind in (${sql.join(ADJUSTMENT_KINDS.map((kind) => sql.lit(kind)))})`

/** The constraint that the transaction id of a wallet or bank counts once. */
export const USED_TRANSACTION = 'ledger_entries_method_reference_key'

function insertEntry(tx: Db, { orderId, kind, method, amount, reference, actorId, at, ...rest }: LedgerEntry) {
  const { shiftId = null, returnId = null, accountPaymentId = null } = rest
  const owner = { order_id: orderId, return_id: returnId, account_payment_id: accountPaymentId, shift_id: shiftId }
  const row = { ...owner, kind, method, amount_poisha: amount, reference, actor_id: actorId, at }
  return tx.insertInto('ledger_entries').values(row).returning('id')
}

/** Adds an entry and returns its id. A reference that the method has already used violates `USED_TRANSACTION`. */
export async function addLedgerEntry(tx: Db, entry: LedgerEntry): Promise<number> {
  return (await insertEntry(tx, entry).executeTakeFirstOrThrow()).id
}

/** Adds an entry unless the ledger has its method and reference. Returns whether it was added. */
export async function addLedgerEntryOnce(tx: Db, entry: LedgerEntry): Promise<boolean> {
  const added = insertEntry(tx, entry).onConflict((conflict) => conflict.columns(['method', 'reference']).doNothing())
  return (await added.executeTakeFirst()) !== undefined
}

/** Whether the ledger has an entry of this method and reference. */
export async function isReferenceUsed(tx: Db, method: string, reference: string): Promise<boolean> {
  const entry = tx.selectFrom('ledger_entries').select('id').where('method', '=', method).where('reference', '=', reference)
  return (await entry.executeTakeFirst()) !== undefined
}

interface FoundEntry {
  orderId: number | null
  amount: Poisha
}

/** The order and the amount of the entry with this method and reference; null for none. */
export async function findEntryOfReference(tx: Db, method: string, reference: string): Promise<FoundEntry | null> {
  const entry = tx.selectFrom('ledger_entries').select(['order_id as orderId', 'amount_poisha as amount'])
  return (await entry.where('method', '=', method).where('reference', '=', reference).$castTo<FoundEntry>().executeTakeFirst()) ?? null
}

/** The columns of `OrderMoney` for orders `o`, for `toCamel`. */
export const ORDER_MONEY: RawBuilder<SnakeCased<OrderMoney>> = sql`o.status,
  amount_payable(o) as payable_poisha, amount_received(o) as paid_poisha, amount_due(o) as due_poisha,
  amount_refundable(o) as refundable_poisha, o.fee_poisha, o.written_off_poisha`

/** The sums of an order; null when there is none. */
export async function findOrderMoney(db: Db, orderId: number): Promise<OrderMoney | null> {
  const { rows } = await sql<SnakeCased<OrderMoney>>`select ${ORDER_MONEY} from orders o where o.id = ${orderId}`.execute(db)
  return rows[0] ? toCamel<OrderMoney>(rows[0]) : null
}
