import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#lib/db.server.ts'
import { sha256 } from '#lib/ids.server.ts'
import type { Lang } from '#lib/lang.ts'
import { type OrderDocument, orderDocument, withSums } from './order-document.server.ts'
import type { OrderJson } from './types.ts'

/** Who wants to see an order: a signed-in person, a browser that may have placed it, the key of an SMS link. */
export interface OrderVisitor {
  user: { id: number; role: string; phoneProven: boolean } | null
  browser: string | null
  key: string | null
}

interface AccessRow {
  customer_id: number
  browser_hash: Buffer | null
  view_key: string
}

/** Whether this visitor may see the order: its customer, the farm's people, the browser that placed it, or a signed link [E6]. */
export function mayOpenOrder(row: AccessRow, visitor: OrderVisitor): boolean {
  const { user, browser, key } = visitor
  if (user && user.role !== 'customer') return true
  if (user && user.phoneProven && user.id === row.customer_id) return true
  if (browser && row.browser_hash && timingSafeEqual(sha256(browser), row.browser_hash)) return true
  return key !== null && timingSafeEqual(sha256(key), sha256(row.view_key))
}

interface OrderRow extends AccessRow, OrderDocument {}

/** The order, when this visitor may see it; null alike when it is not there and when it is not theirs. */
export async function findOrderForVisitor(db: Db, id: number, visitor: OrderVisitor, lang: Lang): Promise<OrderJson | null> {
  if (!Number.isSafeInteger(id) || id < 1) return null
  const { rows } = await sql<OrderRow>`
    select o.customer_id, o.browser_hash, o.view_key, ${orderDocument(lang)}
    from orders o where o.id = ${id}`.execute(db)
  const row = rows[0]
  if (!row || !mayOpenOrder(row, visitor)) return null
  return withSums(row)
}
