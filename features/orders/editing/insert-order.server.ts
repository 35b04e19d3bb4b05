import { sql } from 'kysely'
import { sellHeldAnimals, StockUnavailableError } from '#features/stock/stock.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { findResult } from '#lib/db/idempotency.server.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { insertOrderWithLocks, type NewOrderRow } from '../batching/insert-orders.server.ts'
import { newLineRow } from '../line-rows.server.ts'
import { newViewKey } from '../order-access-token.server.ts'
import { isSent, type OrderStatus } from '../rules.ts'
import { IS_TO_SEND } from '../status-conditions.server.ts'
import type { OrderSource } from '../types.ts'
import type { PricedProduct } from './order-line-pricing.server.ts'
import type { AdminLine, AdminSums } from './pricing-rules.ts'

/** The idempotency key of a request, and the hash of its body. */
export interface RequestKey {
  key: string
  hash: string
  /** The hash of the same body in an earlier release, whose orders are found, too. */
  formerHash?: string
}

/** An order entered by staff, without its lines. */
export interface StaffOrder {
  source: OrderSource
  status: OrderStatus
  reason: string | null
  name: string
  phone: string
  email: string
  address: string
  landmark: string
  note: string
  remarks: string
  areaId: number | null
  isCollection?: boolean
  lang: Lang
  sums: AdminSums
  listOn: string
  now: Date
  key: RequestKey
  clerkId: number
}

/**
 * The order of this idempotency key, or null. A concurrent request with the same key waits here for the first one. The keys of `earlier`
 * attempts, which `findOrderOfAttempts` reads, are locked with it in one order: attempts that name each other do not deadlock.
 */
export async function findOrderByIdempotencyKey(
  tx: Db,
  { key, hash, formerHash }: RequestKey,
  earlier: readonly string[] = [],
): Promise<{ ok: true; orderId: number; replayed: boolean } | { ok: false; reason: 'key-reused'; orderId: number } | null> {
  for (const one of [key, ...earlier].toSorted()) await sql`select pg_advisory_xact_lock(hashtextextended(${one}, 0))`.execute(tx)
  const order = await tx.selectFrom('orders').select(['id', 'request_hash']).where('idempotency_key', '=', key).executeTakeFirst()
  if (!order) return null
  const recorded = order.request_hash?.toString('hex')
  return recorded === hash || (recorded !== undefined && recorded === formerHash)
    ? { ok: true, orderId: order.id, replayed: true }
    : { ok: false, reason: 'key-reused', orderId: order.id }
}

/**
 * The order of another attempt of a form, or null: of a later one that has arrived before this (`key`), or of an earlier one with other inputs,
 * which is waited for while it runs.
 */
export async function findOrderOfAttempts(tx: Db, key: string, earlier: readonly string[]): Promise<number | null> {
  const later = await findResult<{ orderId: number }>(tx, [key])
  if (later) return later.orderId
  for (const one of earlier) {
    const found = await findOrderByIdempotencyKey(tx, { key: one, hash: '' })
    if (found) return found.orderId
  }
  return null
}

/**
 * Inserts an order entered by staff with customer, lines, stock and the event `placed`, in the caller's transaction. Throws
 * `StockUnavailableError` when products are not available. An ended order reserves no stock.
 */
export async function writeStaffOrder(tx: Db, order: StaffOrder, lines: readonly AdminLine[], products: PricedProduct): Promise<number> {
  const { order_id: id, reason, lines: missing } = await insertOrderWithLocks(tx, toOrderRow(order, lines, products))
  if (reason === 'not-available') throw new StockUnavailableError(missing ?? [])
  if (!id) throw new Error(`an order entered by staff was not inserted: ${reason}`)
  if (isSent(order.status)) await sellHeldAnimals(tx, id)
  return id
}

function toOrderRow(order: StaffOrder, lines: readonly AdminLine[], products: PricedProduct): NewOrderRow {
  const { sums, key, now, reason } = order
  return {
    idempotency_key: key.key,
    request_hash: key.hash,
    source: order.source,
    status: order.status,
    reason,
    name: order.name,
    phone: order.phone,
    email: order.email,
    address: order.address,
    landmark: order.landmark,
    note: order.note,
    remarks: order.remarks,
    area_id: order.areaId,
    is_collection: order.isCollection ?? false,
    lang: order.lang,
    subtotal_poisha: sums.subtotal,
    shipping_poisha: sums.shipping,
    discount_poisha: sums.discount,
    total_poisha: sums.total,
    payment_type: 'cash_on_delivery',
    payment_gateway: 'NONE',
    payable_poisha: 0,
    is_free_order: sums.total === 0,
    list_on: order.listOn,
    placed_at: now,
    updated_at: now,
    view_key: newViewKey(),
    tracking_code: randomToken(16),
    clerk_id: order.clerkId,
    detail: reason === null ? {} : { reason },
    lines: lineRecords(lines, products, 1),
    coupon: null,
  }
}

/** The rows of new lines, with positions counted from `from`. */
export function lineRecords(lines: readonly AdminLine[], products: PricedProduct, from: number) {
  return lines.map((line, index) => newLineRow(from + index, line, products.rows.get(line.productId)))
}

/** Inserts lines into an existing order, with positions counted from `from`. */
export async function writeLines(
  tx: Db,
  orderId: number,
  lines: readonly AdminLine[],
  products: PricedProduct,
  from: number,
): Promise<void> {
  const rows = lineRecords(lines, products, from)
  // Only orders that are still to be sent follow the delivery dates of their products.
  const deliveryOn = sql`case when (select ${IS_TO_SEND} from orders o where id = ${orderId}) then p.delivery_on end`
  await sql`insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha,
      line_total_poisha, advance_poisha, tag_number, booked_grams, booked_rate_poisha, delivery_on)
    select ${orderId}, l.*, ${deliveryOn} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l(position smallint, product_id bigint, name_en text, name_bn text,
      unit text, quantity_milli bigint, base_price_poisha bigint, price_poisha bigint, line_total_poisha bigint, advance_poisha bigint,
      tag_number text, booked_grams int, booked_rate_poisha bigint) join products p on p.id = l.product_id`.execute(tx)
}
