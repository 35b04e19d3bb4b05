// Writes every movement of stock: reserve, release, sell, return, count. SQL `move_stock` does the writing; SQL `insert_orders` reserves for
// new orders. The rules are in rules.ts. Lock order: orders, then products by ascending id.
import { type RawBuilder, sql } from 'kysely'
import { IS_EDITABLE, IS_TO_SEND } from '#features/orders/status-conditions.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { DHAKA_TODAY } from '#lib/db/dhaka-day.server.ts'
import { COUNT_WAIT_MS, type Movement } from './rules.ts'

/** A product that cannot be reserved: not for sale, or less in stock than ordered. */
export interface MissingProduct {
  product_id: number
  reason: 'not-available' | 'not-enough'
  left_milli?: number
}

/** Thrown to roll back a transaction whose products are not available. Each command catches its own. */
export class StockUnavailableError extends Error {
  readonly missing: readonly MissingProduct[]

  constructor(missing: readonly MissingProduct[]) {
    super('products are not available')
    this.missing = missing
  }
}

export interface HeldProduct {
  product_id: number
  quantity_milli: number
  /** New in the order: it must be for sale. */
  is_new: boolean
}

/** Locks products by ascending id until the transaction ends. */
export async function lockProducts(tx: Db, ids: readonly number[]): Promise<void> {
  await sql`select 1 from products where id = any(${ids}::bigint[]) order by id for update`.execute(tx)
}

/** A product with the delivery date, YYYY-MM-DD, that it will get; null for none. */
export interface DeliveryDate {
  id: number
  day: string | null
}

class OrdersAppeared extends Error {}
const MAX_LOCK_ATTEMPTS = 5

/**
 * Locks products that get these delivery dates until the transaction ends, and before them the orders that trigger `products_delivery` will
 * update. An order that comes between the two would be locked after the products, against the lock order: then both are locked again.
 */
export async function lockProductsWithOrders(tx: Db, dates: readonly DeliveryDate[]): Promise<void> {
  const ids = dates.map(({ id }) => id)
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(tx, async () => {
        const { rows } = await sql<{ id: number }>`${ordersToUpdate(dates)} order by id for update`.execute(tx)
        await lockProducts(tx, ids)
        const locked = new Set(rows.map(({ id }) => id))
        const now = await ordersToUpdate(dates).execute(tx)
        if (attempt < MAX_LOCK_ATTEMPTS && now.rows.some(({ id }) => !locked.has(id))) throw new OrdersAppeared()
      })
    } catch (error) {
      if (!(error instanceof OrdersAppeared)) throw error
    }
  }
}

/** The orders, still to be sent, whose delivery dates follow those of the products: as trigger `products_delivery` finds them. */
function ordersToUpdate(dates: readonly DeliveryDate[]): RawBuilder<{ id: number }> {
  return sql`select id from orders o where id in (
      select l.order_id from jsonb_to_recordset(${JSON.stringify(dates)}::jsonb) as n(id bigint, day date)
      join products p on p.id = n.id and p.delivery_on is distinct from n.day join order_lines l on l.product_id = p.id
      where p.is_unique or l.delivery_on > ${DHAKA_TODAY})
      and ${IS_TO_SEND}`
}

/**
 * Reserves and releases stock until the order holds exactly `lines`. Locks the products. Returns null on success. If a product is not
 * available, it moves nothing and returns the missing products.
 */
export async function syncOrderStock(
  tx: Db,
  orderId: number,
  lines: readonly HeldProduct[] | 'order-lines',
): Promise<MissingProduct[] | null> {
  const held =
    lines === 'order-lines'
      ? sql`(select coalesce(jsonb_agg(jsonb_build_object('product_id', product_id, 'quantity_milli', quantity_milli)), '[]')
          from order_lines where order_id = ${orderId})`
      : sql`${JSON.stringify(lines)}::jsonb`
  const { rows } = await sql<{ missing: MissingProduct[] | null }>`select sync_order_stock(${orderId}, ${held}) as missing`.execute(tx)
  return rows[0]?.missing ?? null
}

/** Marks the animals held by an order as sold [S2]. The order must be locked. */
export async function sellHeldAnimals(tx: Db, orderId: number): Promise<void> {
  await sql`select 1 from products where id in (select product_id from animal_holds where order_id = ${orderId}) order by id for update`.execute(
    tx,
  )
  await moveStock(
    tx,
    sql`(select jsonb_agg(jsonb_build_object('product_id', product_id, 'movement', 'sell', 'delta_milli', 0))
      from animal_holds where order_id = ${orderId})`,
  )
}

export interface ReturnedLine {
  productId: number
  quantityMilli: number
  /** True to write the product off; false to put it back on sale. */
  isSpoiled: boolean
}

/** Returns products of an order to the stock, at most what the order still holds. An animal stays on hold. Products must be locked. */
export async function returnStock(tx: Db, orderId: number, lines: readonly ReturnedLine[]): Promise<void> {
  const { rows } = await sql<{ id: number; held: number }>`
    select m.product_id as id, -sum(m.delta_milli)::bigint as held from stock_movements m join products p on p.id = m.product_id
    where m.order_id = ${orderId} and p.stock_milli is not null group by m.product_id`.execute(tx)
  const heldOf = new Map(rows.map(({ id, held }) => [id, held]))
  const moves = lines.flatMap((line) => {
    const delta_milli = Math.min(line.quantityMilli, heldOf.get(line.productId) ?? 0)
    return delta_milli > 0 ? returnMoves(line, { delta_milli, order_id: orderId }) : []
  })
  await moveProducts(tx, moves)
}

/** Adds counted products that came back without an order to the stock; no animals. They must be locked. */
export async function takeBackStock(tx: Db, lines: readonly ReturnedLine[]): Promise<void> {
  await moveProducts(
    tx,
    lines.flatMap((line) => returnMoves(line, { delta_milli: line.quantityMilli })),
  )
}

/** A product that is spoiled comes back and is written off. */
function returnMoves({ productId: product_id, isSpoiled }: ReturnedLine, quantity: Pick<Move, 'delta_milli' | 'order_id'>): Move[] {
  const back: Move = { product_id, movement: 'return', ...quantity, reason: 'freed' }
  return isSpoiled ? [back, { product_id, movement: 'write-off', delta_milli: -quantity.delta_milli, reason: 'spoiled' }] : [back]
}

/** Ends the hold of products and puts them on sale. They must be locked. */
export function releaseHold(tx: Db, ids: readonly number[]): Promise<void> {
  return moveProducts(
    tx,
    ids.map((product_id) => ({ product_id, movement: 'unhold', delta_milli: 0 })),
  )
}

/** How a product is offered: whether it is shown, and its status. */
export interface Offer {
  id: number
  visible: boolean
  /** As text, so that it is restored to the microsecond. */
  archived_at: string | null
  status: string
  hold_reason: string | null
}

/** Reads how products are offered; animals are left out. They must be locked. */
export async function readOffers(tx: Db, ids: readonly number[]): Promise<Offer[]> {
  const { rows } = await sql<Offer>`select id, visible, archived_at::text, status, hold_reason from products
    where id = any(${ids}::bigint[]) and not is_unique order by id`.execute(tx)
  return rows
}

/**
 * Offers products for one sale that were handed over offline, and hidden or set out of stock without a count since; not where the price is a
 * placeholder. Returns all of the products as they were, for `restoreOffers`. They must be locked.
 */
export async function offerHandedOverProducts(tx: Db, ids: readonly number[], placeholderPoisha: number): Promise<Offer[]> {
  const before = await readOffers(tx, ids)
  const isUncountedOut = sql`(status = 'out-of-stock' and stock_milli is null)`
  await sql`update products set visible = true, archived_at = null,
      status = case when ${isUncountedOut} then coalesce(sold_out_as, 'in-stock') else status end
    where id = any(${before.map(({ id }) => id)}::bigint[]) and (not visible or ${isUncountedOut}) and price_poisha > ${placeholderPoisha}`.execute(
    tx,
  )
  return before
}

/** Offers products as before; what is sold out stays out of stock. They must be locked. */
export async function restoreOffers(tx: Db, before: readonly Offer[]): Promise<void> {
  if (before.length === 0) return
  await sql`update products p set visible = b.visible, archived_at = b.archived_at, (status, hold_reason) = (select
      case when p.status = 'out-of-stock' then p.status else b.status end, case when p.status <> 'out-of-stock' and b.status = 'hold' then b.hold_reason end)
    from jsonb_to_recordset(${JSON.stringify(before)}::jsonb) as b(id bigint, visible boolean, archived_at timestamptz, status text, hold_reason text)
    where p.id = b.id and (p.visible, p.status) is distinct from (b.visible, b.status)`.execute(tx)
}

/** Writes off animals that are lost or not fit for sale. They must be locked. */
export async function writeOffAnimals(tx: Db, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number; stock: number }>`
    select id, coalesce(stock_milli, 0)::bigint as stock from products where id = any(${ids}::bigint[]) order by id`.execute(tx)
  await moveProducts(
    tx,
    rows.map(({ id, stock }) => ({ product_id: id, movement: 'write-off', delta_milli: -stock, reason: 'counted' })),
  )
}

/**
 * Locks the orders of an uncounted product that may be edited. `setStock` reads what they hold when it begins to count. Call it before the
 * product is locked.
 */
export async function lockOrdersOfUncounted(tx: Db, id: number): Promise<void> {
  await sql`select 1 from orders o where id in (
      select l.order_id from products p join order_lines l on l.product_id = p.id where p.id = ${id} and p.stock_milli is null)
      and ${IS_EDITABLE} order by id for update`.execute(tx)
}

/**
 * Sets the stock of a product in thousandths; null ends tracking. The status follows (`statusOfCount`). Where tracking begins, its orders get
 * the movements of the time without. The product must be locked.
 */
export async function setStock(
  tx: Db,
  id: number,
  { from, to, reason }: { from: number | null; to: number | null; reason: 'counted' | 'received' },
): Promise<void> {
  if (from === null && to !== null) {
    await sql`select set_config('statement_timeout', ${String(COUNT_WAIT_MS)}, true)`.execute(tx)
    await sql`select record_uncounted_movements(${id})`.execute(tx)
  }
  await moveProducts(tx, [{ product_id: id, movement: 'count', delta_milli: (to ?? 0) - (from ?? 0), reason, count_milli: to }])
  if (to !== null && to === (from ?? 0)) await recordEqualCounts(tx, [id])
}

/** Adds differences, such as those of a stock take, to counted products, whose stock now is `from`. The products must be locked. */
export async function adjustStock(
  tx: Db,
  lines: readonly { id: number; from: number; deltaMilli: number; reason: 'counted' | 'spoiled' }[],
): Promise<void> {
  await moveProducts(
    tx,
    lines.map(({ id, from, deltaMilli, reason }) => ({
      product_id: id,
      movement: 'count',
      delta_milli: deltaMilli,
      reason,
      count_milli: from + deltaMilli,
    })),
  )
}

/** Records the initial stock of new products as movements. Skips products without stock and without stock tracking. */
export async function recordInitialStock(tx: Db, rows: readonly { id: number; stock_milli: number | null }[]): Promise<void> {
  const stocked = rows.flatMap(({ id, stock_milli }) => (stock_milli ? [{ id, delta_milli: stock_milli }] : []))
  await recordCounts(tx, stocked)
}

/** Records the stock change that follows from an animal's new status. Returns the column to update. */
export async function recordAnimalStock(tx: Db, id: number, from: number, to: number): Promise<{ stock_milli: number }> {
  await recordCounts(tx, from === to ? [] : [{ id, delta_milli: to - from }])
  return { stock_milli: to }
}

/** Records counts that found the expected stock, as movements of nothing: other stock takes and forms learn of them. */
export async function recordEqualCounts(tx: Db, ids: readonly number[]): Promise<void> {
  await sql`insert into stock_movements (product_id, delta_milli, reason) select unnest(${ids}::bigint[]), 0, 'counted'`.execute(tx)
}

async function recordCounts(tx: Db, rows: readonly { id: number; delta_milli: number }[]): Promise<void> {
  if (rows.length === 0) return
  await sql`insert into stock_movements (product_id, delta_milli, reason)
    select *, 'counted' from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(id bigint, delta_milli bigint)`.execute(tx)
}

/** A row of SQL `move_stock`. */
interface Move {
  product_id: number
  movement: Movement
  delta_milli: number
  order_id?: number
  reason?: 'ordered' | 'freed' | 'counted' | 'received' | 'spoiled'
  count_milli?: number | null
}

async function moveProducts(tx: Db, moves: readonly Move[]): Promise<void> {
  if (moves.length > 0) await moveStock(tx, sql`${JSON.stringify(moves)}::jsonb`)
}

async function moveStock(tx: Db, moves: RawBuilder<unknown>): Promise<void> {
  await sql`select move_stock(${moves})`.execute(tx)
}
