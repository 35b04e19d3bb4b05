import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Poisha } from '#lib/format/money.ts'
import type { OrderStatus } from './rules.ts'

// The lock that every command about an existing order takes first. Lock order: orders, users, products, lines.

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
  /** Products came back at the POS: the order cannot be changed or reopened. */
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
