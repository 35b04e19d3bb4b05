import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { OrderActor } from '#features/audit/order-events.server.ts'
import { isStaff } from '#features/auth/permissions.ts'
import type { Role } from '#features/auth/sessions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { sha256 } from '#lib/ids/ids.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { type OrderDocument, orderDocument, withSums } from './printing/order-document.server.ts'
import type { OrderJson } from './types.ts'

/** The requester of an order: the signed-in user, the secret of a browser that may have placed it, the key of an SMS link. */
export interface OrderVisitor {
  user: { id: number; role: Role; phoneProven: boolean } | null
  browser: string | null
  key: string | null
  /** The user is staff with the permission that the request needs, checked as in the admin (`staffMay`). */
  isPermittedStaff: boolean
}

interface AccessRow {
  customer_id: number
  access_token_hash: Buffer | null
  view_key: string
}

/** Whether this visitor may see the order: permitted staff, its customer, the browser that placed it, or a signed link [E6]. */
export function mayOpenOrder(row: AccessRow, visitor: OrderVisitor): boolean {
  const { user, browser, key } = visitor
  if (visitor.isPermittedStaff) return true
  if (user && user.phoneProven && user.id === row.customer_id) return true
  if (browser && row.access_token_hash && timingSafeEqual(sha256(browser), row.access_token_hash)) return true
  return key !== null && timingSafeEqual(sha256(key), sha256(row.view_key))
}

interface OrderRow extends AccessRow, OrderDocument {}

/** The order, when this visitor may see it; null alike when it is not there and when it is not theirs. */
export async function findOrderForVisitor(db: Db, id: number, visitor: OrderVisitor, lang: Lang): Promise<OrderJson | null> {
  return (await openOrder(db, id, visitor, lang))?.order ?? null
}

/**
 * The order with the actor that its history names for what the visitor does: a signed-in member of staff, unless the order is their
 * own; else the customer.
 */
export async function openOrder(
  db: Db,
  id: number,
  visitor: OrderVisitor,
  lang: Lang,
): Promise<{ order: OrderJson; actor: OrderActor } | null> {
  if (!Number.isSafeInteger(id) || id < 1) return null
  const { rows } = await sql<OrderRow>`
    select o.customer_id, o.access_token_hash, o.view_key, ${orderDocument(lang)}
    from orders o where o.id = ${id}`.execute(db)
  const row = rows[0]
  if (!row || !mayOpenOrder(row, visitor)) return null
  const { user } = visitor
  const isStaffActor = user !== null && isStaff(user.role) && user.id !== row.customer_id
  const actor: OrderActor = {
    kind: isStaffActor ? 'staff' : 'customer',
    id: isStaffActor || user?.id === row.customer_id ? user!.id : null,
  }
  return { order: withSums(row), actor }
}
