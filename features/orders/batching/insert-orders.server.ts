// The only file of this folder that others import. Every order of the shop is inserted through SQL `insert_orders`: customers' orders and
// POS sales in batches, orders of the staff and orders with a coupon one by one.
import { sql } from 'kysely'
import { constraintOf, type Db, inTransaction } from '#lib/db/db.server.ts'
import { LockLimiter } from './lock-limiter.server.ts'
import { OrderBatcher } from './order-batcher.server.ts'
import type { BatchEntryResult, BatchWriter, NewOrderRow, WriteOrderResult } from './types.ts'

export type { BatchEntryResult, BatchWriter, NewOrderRow, TooManyHeld, WriteOrderResult } from './types.ts'

/** Returns a function that adds an order to the batches of its database. */
export function batchedBy(writer: BatchWriter): (db: Db, order: NewOrderRow) => Promise<WriteOrderResult> {
  const batchers = new WeakMap<Db, OrderBatcher>()
  return (db, order) => {
    const batcher = batchers.get(db) ?? new OrderBatcher(db, writer)
    batchers.set(db, batcher)
    return batcher.add(order)
  }
}

const insertBatched = batchedBy({
  async writeBatch(db, orders) {
    const write = sql<{
      results: BatchEntryResult[]
    }>`/*prepared insert_orders*/ select insert_orders(${toBatchJson(orders)}::jsonb, false) as results`
    const { rows } = await withGuestRetry(db, () => write.execute(db))
    return rows[0]?.results ?? []
  },
  writeBlocking: insertOrderWithLocks,
  conflictKeys: (order) => [order.idempotency_key],
})

/** Orders with a coupon or a limited day lock it, so each has its own transaction. The limit leaves connections for the others. */
const MAX_WITH_LOCK = 4
const lockLimiters = new WeakMap<Db, LockLimiter>()

function insertAlone(db: Db, order: NewOrderRow): Promise<WriteOrderResult> {
  const limiter = lockLimiters.get(db) ?? new LockLimiter(MAX_WITH_LOCK)
  lockLimiters.set(db, limiter)
  const days = (order.capacity ?? []).map(({ day, group }) => `${group} ${day}`)
  const coupons = order.coupon === null ? [] : [`coupon ${order.coupon.id}`]
  return limiter.run([...days, ...coupons, ...order.lines.map((line) => line.product_id)], () => insertOrderWithLocks(db, order))
}

/**
 * Inserts an order with its lines, stock, event, payment attempt and SMS, or nothing. Concurrent orders share a transaction. An order whose
 * product is locked waits alone. Inside a transaction of the caller the order is inserted there. `stale`: a product changed after it was
 * read, or the same request was written concurrently.
 */
export async function insertOrder(db: Db, order: NewOrderRow): Promise<WriteOrderResult> {
  try {
    if (db.isTransaction) return await insertOrderWithLocks(db, order)
    if (order.coupon !== null || order.capacity !== undefined) return await insertAlone(db, order)
    return await insertBatched(db, order)
  } catch (error) {
    // A concurrent request with the same key was faster. The retry finds its order.
    if (constraintOf(error) === 'orders_idempotency_key') return { reason: 'stale' }
    throw error
  }
}

/** The orders of a batch as SQL reads them, each with its `batch_index` from 1. */
export function toBatchJson(orders: readonly NewOrderRow[]): string {
  return JSON.stringify(orders.map((order, index) => ({ batch_index: index + 1, ...order })))
}

/** Inserts one order and waits for the locks of its days, its products and its coupon. */
export async function insertOrderWithLocks(db: Db, order: NewOrderRow): Promise<WriteOrderResult> {
  const insert = sql.raw(
    order.capacity ? 'insert_order_within_capacity' : order.coupon === null ? 'insert_order' : 'insert_order_with_coupon',
  )
  const write = sql<{ result: WriteOrderResult }>`select ${insert}(${JSON.stringify({ batch_index: 1, ...order })}::jsonb) as result`
  const { rows } = await withGuestRetry(db, () => write.execute(db))
  return rows[0]?.result ?? {}
}

/** Retries when a guest was merged into an account between the lookup and the insert. */
export async function withGuestRetry<T>(db: Db, write: () => Promise<T>): Promise<T> {
  try {
    // Inside a transaction the first attempt runs in a savepoint.
    return await (db.isTransaction ? inTransaction(db, write) : write())
  } catch (error) {
    if (constraintOf(error) !== 'orders_customer_id_fkey') throw error
    return write()
  }
}
