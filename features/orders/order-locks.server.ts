import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import type { OrderStatus } from './rules.ts'

// The steps that commands about an existing order share. All of them run inside the command's transaction, the order first.

/** Who does it, as the order's history keeps it. */
export interface Actor {
  kind: 'customer' | 'staff' | 'system'
  id: number | null
  /** The network address, for the audit log of staff. */
  ip?: string
}

export interface LockedOrder {
  id: number
  status: OrderStatus
  version: number
  name: string
  phone: string
  lang: Lang
  customerId: number
  viewKey: string
  /** The amount due; below zero: to be refunded. */
  duePoisha: Poisha
  /** Goods of it came back over the counter: it is changed no more, and not opened again. */
  hasReturns: boolean
}

/** The order, locked until the transaction ends; null when there is none. */
export async function lockOrder(tx: Db, id: number): Promise<LockedOrder | null> {
  if (!Number.isSafeInteger(id) || id < 1) return null
  const { rows } = await sql<LockedOrder>`select id, status, version, name, phone, lang, customer_id as "customerId", view_key as "viewKey",
    amount_due(orders) as "duePoisha",
    exists (select 1 from pos_returns r where r.order_id = orders.id) as "hasReturns" from orders where id = ${id} for update`.execute(tx)
  return rows[0] ?? null
}

/**
 * Locks the orders that a change of delivery dates moves (trigger products_delivery), before the products are locked: an edit locks the
 * order before its goods, too.
 */
export async function lockOrdersOfProducts(tx: Db, days: readonly { id: number; day: string | null }[]): Promise<void> {
  await sql`select 1 from orders where id in (
      select l.order_id from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as n(id bigint, day date)
      join products p on p.id = n.id and p.delivery_on is distinct from n.day join order_lines l on l.product_id = p.id
      where p.is_unique or l.delivery_on > (now() at time zone 'Asia/Dhaka')::date)
      and status in ('placed', 'processing')
    order by id for update`.execute(tx)
}

/** A line in the order's history. */
export async function addOrderEvent(
  tx: Db,
  orderId: number,
  actor: Actor,
  now: Date,
  event: { kind: string; from?: OrderStatus; to?: OrderStatus; detail?: object },
): Promise<void> {
  await sql`insert into order_events (order_id, at, actor, actor_id, kind, from_status, to_status, detail)
    values (${orderId}, ${now}, ${actor.kind}, ${actor.id}, ${event.kind}, ${event.from ?? null}, ${event.to ?? null},
      ${JSON.stringify(event.detail ?? {})}::jsonb)`.execute(tx)
}

/** Goods that cannot be had: not for sale, or fewer left than wanted. */
export interface MissingProduct {
  product_id: number
  reason: 'not-available' | 'not-enough'
  left_milli?: number
}

export interface HeldProduct {
  product_id: number
  quantity_milli: number
  /** Not in the order before: it must be for sale. */
  is_new: boolean
}

/** Takes and gives back until the order holds exactly this. Answers what cannot be had, having moved nothing; null when all is well. */
export async function syncOrderStock(
  tx: Db,
  orderId: number,
  wanted: readonly HeldProduct[] | 'its lines',
): Promise<MissingProduct[] | null> {
  const goods =
    wanted === 'its lines'
      ? sql`(select coalesce(jsonb_agg(jsonb_build_object('product_id', product_id, 'quantity_milli', quantity_milli)), '[]')
          from order_lines where order_id = ${orderId})`
      : sql`${JSON.stringify(wanted)}::jsonb`
  const { rows } = await sql<{ missing: MissingProduct[] | null }>`select settle_stock(${orderId}, ${goods}) as missing`.execute(tx)
  return rows[0]?.missing ?? null
}
