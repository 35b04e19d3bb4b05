import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import { lockOrderRow } from '#features/payments/queries.server.ts'
import type { OrderStatus } from './rules.ts'

// The row lock that every command on an existing order takes, before those of products and customers (lock order in docs/architecture.md).

export interface LockedOrder {
  id: number
  status: OrderStatus
  version: number
  name: string
  phone: string
  lang: Lang
  customerId: number
  /** The amount due; negative when a refund is due. */
  duePoisha: Poisha
  /** Cash is taken at the farm: the order is collected, or was handed over at the counter of the POS. */
  isPaidAtFarm: boolean
  /** Products came back, at the POS or to the admin: the order cannot be edited or reopened. */
  hasReturns: boolean
}

/** Raises the version of a locked order, so that stale forms are rejected. */
export async function raiseOrderVersion(tx: Db, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('orders')
    .set((eb) => ({ version: eb('version', '+', 1), updated_at: now }))
    .where('id', '=', id)
    .execute()
}

/** Locks the order until the transaction ends; null when it does not exist. */
export async function lockOrder(tx: Db, id: number): Promise<LockedOrder | null> {
  if (!Number.isSafeInteger(id) || id < 1) return null
  // The statement that waits for the lock does not see the return that had it.
  await lockOrderRow(tx, id)
  const { rows } = await sql<SnakeCased<LockedOrder>>`
    select id, status, version, name, phone, lang, customer_id, amount_due(orders) as due_poisha,
      is_collection or is_over_counter(orders) as is_paid_at_farm,
      exists (select 1 from pos_returns r where r.order_id = orders.id) as has_returns
    from orders where id = ${id}`.execute(tx)
  return rows[0] ? toCamel<LockedOrder>(rows[0]) : null
}
