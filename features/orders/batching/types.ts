import type { DayCapacity } from '../delivery-calendar.server.ts'
import type { CouponError } from '#features/pricing/coupons/rules.ts'
import type { MissingProduct } from '#features/stock/stock.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** The result of SQL `insert_orders` for one order. */
export type WriteOrderResult = {
  order_id?: number
  replayed?: boolean
  /** Product data that shoppers see has changed. */
  catalog_changed?: boolean
  coupon?: CouponError
  lines?: MissingProduct[]
} & ({ reason?: 'stale' | 'not-available' | 'key-reused' | 'coupon' | 'day-full' } | ({ reason: 'too-many-held' } & TooManyHeld))

/** The phone, browser or network holds unpaid animals; with the order's animals it would exceed its limit. */
export interface TooManyHeld {
  by: 'phone' | 'browser' | 'network'
  held: number
  limit: number
}

/** A row for `insert_orders`: the columns of the order and of its lines. */
export interface NewOrderRow extends Record<string, unknown> {
  idempotency_key: string
  lines: { product_id: number }[]
  coupon: { id: number } | null
  /** The limits of its delivery days; absent: none. */
  capacity?: DayCapacity[]
}

/** `busy`: another transaction has locked the product. */
export type BatchEntryResult = WriteOrderResult | { reason: 'busy'; product_id: number }

/** The two ways to write orders of one kind. */
export interface BatchWriter {
  /** One transaction for all. Does not wait for locks. */
  writeBatch(db: Db, orders: readonly NewOrderRow[]): Promise<BatchEntryResult[]>
  /** One transaction for one order. Waits for locks. */
  writeBlocking(db: Db, order: NewOrderRow): Promise<WriteOrderResult>
  /** Keys that two orders of one batch must not share. */
  conflictKeys(order: NewOrderRow): string[]
}
