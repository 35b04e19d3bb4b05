import { sql } from 'kysely'
import { IS_ERASED } from '#features/customers/account-state.server.ts'
import { type NamedSoldOrder, soldOrderFields } from '#features/orders/returns/sold-order.server.ts'
import { findOrderByIdempotencyKey } from '#features/orders/editing/insert-order.server.ts'
import type { OrderStatus } from '#features/orders/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { dhakaDate, dhakaInstant } from '#lib/format/time.ts'
import { readId } from '#lib/format/id.ts'
import { EXTRA_METHODS, type ExtraMethod, type PaymentMethod } from './rules.ts'
import type { UnapprovedRefunds } from './refund-limit-rules.ts'
import type { SaleResult } from './sale-pricing.server.ts'
import type { SaleRequest } from './sale-request.ts'

/** A POS sale with its returns. */
export interface SoldSale extends NamedSoldOrder {
  id: number
  status: OrderStatus
  name: string
  phone: string
  /** Null for a walk-in sale, and for an erased customer. */
  customerId: number | null
  placedAt: string
  /** Exact cash refunds so far less the cash given for them, where cash is rounded. */
  cashCarried: Poisha
  /** Settled by a final weighing: its price differs from the sum of its lines. */
  isSettled: boolean
  /** Payments by store credit less refunds as store credit; zero where the customer was erased or has become staff, who have none. */
  creditPaid: Poisha
  /** The extra methods it was paid with. */
  extraMethods: ExtraMethod[]
  /** What the sale was paid with, and what was left on account. */
  paidBy: { method: PaymentMethod | 'exchange' | 'store_credit' | 'on_account'; amount: Poisha }[]
  returns: { id: number; at: string; refund: Poisha; reason: string }[]
}

/** A POS sale by its id, in one language; null when there is none. */
export async function findSoldSale(db: Db, id: number, lang: Lang): Promise<SoldSale | null> {
  if (!Number.isSafeInteger(id) || id < 1) return null
  const { rows } = await sql<{ sale: SoldSale }>`
    select json_build_object('id', o.id, 'status', o.status, 'name', o.name, 'phone', o.phone, 'customerId', (select u.id from users u where u.id = o.customer_id and o.phone <> '' and not ${IS_ERASED}), 'placedAt', o.placed_at,
      ${soldOrderFields(lang)}, 'isSettled', exists (select 1 from settlements where order_id = o.id),
      'extraMethods', array(select distinct method from ledger_entries where order_id = o.id and method = any(${[...EXTRA_METHODS]}::text[])),
      'paidBy', (select coalesce(json_agg(json_build_object('method', method, 'amount', amount) order by position), '[]') from (
        select method, amount_poisha as amount, id as position from ledger_entries where order_id = o.id and paid_with_order and kind = 'counter'
        union all select 'on_account', amount_poisha, null from account_sales where order_id = o.id) p),
      'creditPaid', (select coalesce(sum(e.amount_poisha), 0) from ledger_entries e join users u on u.id = o.customer_id and u.role = 'customer' and not ${IS_ERASED}
        where e.order_id = o.id and e.method = 'store_credit'),
      'cashCarried', (select coalesce(-sum(amount_poisha), 0) from ledger_entries where order_id = o.id and kind = 'rounding' and not paid_with_order and account_payment_id is null),
      'returns', (select coalesce(json_agg(json_build_object('id', r.id, 'at', r.at, 'refund', r.refund_poisha, 'reason', r.reason) order by r.id), '[]')
        from pos_returns r where r.order_id = o.id)) as sale
    from orders o where o.id = ${id} and o.source = 'pos'`.execute(db)
  return rows[0]?.sale ?? null
}

/** The value of returns without a supervisor: of one sale, and by one cashier since midnight in Dhaka. */
export async function readRefundLimit(
  db: Db,
  { orderId, cashierId, now }: { orderId: number; cashierId: number; now: Date },
): Promise<UnapprovedRefunds> {
  const { rows } = await sql<SnakeCased<UnapprovedRefunds>>`select
    (select coalesce(sum(worth_poisha), 0) from pos_returns where order_id = ${orderId} and approved_by is null)::bigint as of_sale,
    (select coalesce(sum(r.worth_poisha), 0) from pos_returns r join pos_shifts s on s.id = r.shift_id
      where s.cashier_id = ${cashierId} and r.approved_by is null and r.at >= ${dhakaInstant(dhakaDate(now))})::bigint as of_day`.execute(
    db,
  )
  return toCamel<UnapprovedRefunds>(rows[0]!)
}

/**
 * The order id of a receipt: its number, the URL in its QR code (the tracking page), or the short number of an offline
 * receipt. Null when there is none.
 */
export async function findSaleByReceipt(db: Db, typed: string): Promise<number | null> {
  const text = latinDigits(typed.trim()).replace(/^#/, '')
  const id = readId(text)
  if (id !== null) return id
  const offline = /^U([0-9A-Z]{6})$/i.exec(text)?.[1]
  if (offline) return findSaleByKeyPrefix(db, offline)
  const code = /\/track\/([\w-]{10,100})\/?(\?.*)?$/.exec(text)?.[1]
  if (!code) return null
  const order = await db.selectFrom('orders').select('id').where('tracking_code', '=', code).executeTakeFirst()
  return order?.id ?? null
}

/** The first characters of the device's key of orders `o`: the expression of the index `orders_receipt`. */
const KEY_PREFIX = sql`upper(left(replace(split_part(o.idempotency_key, ':', 2), '-', ''), 6))`

/** The newest POS sale whose idempotency key has this prefix. */
async function findSaleByKeyPrefix(db: Db, prefix: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`select o.id from orders o
    where o.source = 'pos' and ${KEY_PREFIX} = ${prefix.toUpperCase()} order by o.id desc limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/**
 * The sale of another cashier under the device's key of this idempotency key, or null. A sale whose answer was lost stays on the screen, and
 * the next cashier may place it once more. A concurrent sale of another cashier under the key is waited for.
 */
async function findSaleOfOtherCashier(tx: Db, key: string): Promise<{ id: number; cashier: string } | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(device_key(${key}), 0))`.execute(tx)
  const { rows } = await sql<{ id: number; cashier: string }>`
    select s.order_id as id, u.name as cashier from pos_sales s join pos_shifts h on h.id = s.shift_id join users u on u.id = h.cashier_id
    where s.order_id = sale_of_other_cashier(${key})`.execute(tx)
  return rows[0] ?? null
}

/** The sale that this request repeats, its rejection where the key has another sale, or null. */
export async function findRecordedSale(tx: Db, { key }: Pick<SaleRequest, 'key'>): Promise<RecordedSale | null> {
  const earlier = await findOrderByIdempotencyKey(tx, key)
  if (earlier) return earlier
  const other = await findSaleOfOtherCashier(tx, key.key)
  return other && { ok: false, reason: 'key-reused', orderId: other.id, by: other.cashier }
}

type RecordedSale = Extract<SaleResult, { ok: true } | { reason: 'key-reused' }>
