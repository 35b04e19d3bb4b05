import { sql } from 'kysely'
import { sellAnimals } from '#features/payments/commands/mark-animals-sold.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { randomToken } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import { syncOrderStock } from '../order-locks.server.ts'
import { goesOut, isLive, type OrderStatus } from '../rules.ts'
import type { OrderSource } from '../types.ts'
import { StockUnavailableError } from '../order-deps.ts'
import type { PricedProduct } from './order-line-pricing.server.ts'
import type { AdminLine, AdminSums } from './pricing-rules.ts'

/** What a request is known by: its key, and the hash of what it asked for. */
export interface RequestKey {
  key: string
  hash: string
}

/** An order that somebody of the staff writes, besides its lines. */
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
  lang: Lang
  sums: AdminSums
  listOn: string
  now: Date
  key: RequestKey
}

/** What this key has made already, or null; a second request at the same moment waits here for the first one's end. */
export async function findOrderByIdempotencyKey(
  tx: Db,
  { key, hash }: RequestKey,
): Promise<{ ok: true; orderId: number; replayed: boolean } | { ok: false; reason: 'key-reused' } | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  const { rows } = await sql<{ id: number; same: boolean }>`
    select id, request_hash = decode(${hash}, 'hex') as same from orders where idempotency_key = ${key}`.execute(tx)
  const earlier = rows[0]
  if (!earlier) return null
  return earlier.same ? { ok: true, orderId: earlier.id, replayed: true } : { ok: false, reason: 'key-reused' }
}

/** Writes customer, order, lines and what they take from the stock, inside the command's transaction; throws `StockUnavailableError` when goods are missing. */
export async function writeStaffOrder(tx: Db, order: StaffOrder, lines: readonly AdminLine[], goods: PricedProduct): Promise<number> {
  // Goods before people before orders, as every order does it, so that nobody waits in a ring.
  await lockProducts(
    tx,
    lines.map((line) => line.productId),
  )
  const id = await insertOrder(tx, order)
  const held = lines.map((line) => ({ product_id: line.productId, quantity_milli: line.quantityMilli, is_new: true }))
  const missing = isLive(order.status) ? await syncOrderStock(tx, id, held) : null
  if (missing) throw new StockUnavailableError(missing)
  // After the goods: a line's reference locks its product, and two who hold that lock would wait for each other.
  await writeLines(tx, id, lines, goods, 1)
  if (goesOut(order.status)) await sellAnimals(tx, id)
  return id
}

/** Locks products in the order of their numbers until the transaction ends. */
export async function lockProducts(tx: Db, ids: readonly number[]): Promise<void> {
  await sql`select 1 from products where id = any(${ids}::bigint[]) order by id for update`.execute(tx)
}

/** One customer a phone: what an existing one wrote about himself stays as it is. */
async function insertOrder(tx: Db, order: StaffOrder): Promise<number> {
  const { sums, key, now } = order
  const { rows } = await sql<{ id: number }>`
    with customer as (
      insert into users (name, phone, email) values (${order.name}, ${order.phone}, ${order.email || null})
      on conflict (phone) do update set phone = excluded.phone returning id)
    insert into orders (source, status, reason, customer_id, name, phone, email, address, landmark, note, remarks, area_id, lang,
      subtotal_poisha, shipping_poisha, discount_poisha, total_poisha, payment_type, payment_gateway, payable_poisha, is_free_order,
      list_on, placed_at, view_key, tracking_code, updated_at, idempotency_key, request_hash)
    select ${order.source}, ${order.status}, ${order.reason}, customer.id, ${order.name}, ${order.phone}, ${order.email},
      ${order.address}, ${order.landmark}, ${order.note}, ${order.remarks}, ${order.areaId}, ${order.lang},
      ${sums.subtotal}, ${sums.shipping}, ${sums.discount}, ${sums.total}, 'cash_on_delivery', 'NONE', 0, ${sums.total === 0},
      ${order.listOn}, ${now}, ${randomToken(12)}, ${randomToken(16)}, ${now}, ${key.key}, decode(${key.hash}, 'hex')
    from customer returning id`.execute(tx)
  return rows[0]!.id
}

/** Lines as they are written, under consecutive numbers, with names, tag and weight as they are now. */
export function lineRecords(lines: readonly AdminLine[], goods: PricedProduct, from: number) {
  return lines.map((line, at) => {
    const row = goods.rows.get(line.productId)
    const grams = row?.sold_by_live_weight ? row.weight_grams : null
    return {
      position: from + at,
      product_id: line.productId,
      name_en: row?.name_en,
      name_bn: row?.name_bn,
      unit: row?.unit,
      quantity_milli: line.quantityMilli,
      base_price_poisha: line.basePrice,
      price_poisha: line.price,
      line_total_poisha: line.total,
      advance_poisha: line.advance,
      tag_number: row?.tag_number ?? null,
      booked_grams: grams,
      booked_rate_poisha: grams ? ratePerKg(line.price, grams) : null,
    }
  })
}

export async function writeLines(tx: Db, orderId: number, lines: readonly AdminLine[], goods: PricedProduct, from: number): Promise<void> {
  const rows = lineRecords(lines, goods, from)
  // The delivery date of an order that has ended or is sent does not depend on its goods any more.
  const deliveryOn = sql`case when (select status in ('placed', 'processing') from orders where id = ${orderId}) then p.delivery_on end`
  await sql`insert into order_lines (order_id, position, product_id, name_en, name_bn, unit, quantity_milli, base_price_poisha, price_poisha,
      line_total_poisha, advance_poisha, tag_number, booked_grams, booked_rate_poisha, delivery_on)
    select ${orderId}, l.*, ${deliveryOn} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l(position smallint, product_id bigint, name_en text, name_bn text,
      unit text, quantity_milli bigint, base_price_poisha bigint, price_poisha bigint, line_total_poisha bigint, advance_poisha bigint,
      tag_number text, booked_grams int, booked_rate_poisha bigint) join products p on p.id = l.product_id`.execute(tx)
}

function ratePerKg(price: Poisha, grams: number): number {
  return Math.round((price * 1000) / grams)
}
