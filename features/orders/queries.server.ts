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

/** The credentials with which a visitor asks for an order. */
export interface OrderVisitor {
  user: { id: number; role: Role; phone: string; isPhoneVerified: boolean } | null
  /** The order access token of the browser. */
  browser: string | null
  /** The key of an SMS link. */
  key: string | null
  /** The user is staff with the permission that the request needs, checked as in the admin (`staffMay`). */
  isPermittedStaff: boolean
}

interface AccessRow {
  customer_id: number
  access_token_hash: Buffer | null
  view_key: string
}

/** Whether the visitor may see the order: permitted staff, its customer, the browser that placed it, or an SMS link [E6]. */
export function mayOpenOrder(row: AccessRow, visitor: OrderVisitor): boolean {
  const { user, browser, key } = visitor
  if (visitor.isPermittedStaff) return true
  if (user && user.isPhoneVerified && user.id === row.customer_id) return true
  if (browser && row.access_token_hash && timingSafeEqual(sha256(browser), row.access_token_hash)) return true
  return key !== null && timingSafeEqual(sha256(key), sha256(row.view_key))
}

interface OrderRow extends AccessRow, OrderDocument {}

/** The order, if the visitor may see it. Null for a missing order and for one of others: the caller cannot tell them apart. */
export async function findOrderForVisitor(db: Db, id: number, visitor: OrderVisitor, lang: Lang): Promise<OrderJson | null> {
  const row = await readOrder(db, id, visitor, lang)
  return row && withSums(row)
}

/** The order, and the author of the events that the visitor causes; null as in `findOrderForVisitor`. `ip`: the network address. */
export async function openOrder(
  db: Db,
  id: number,
  visitor: OrderVisitor & { ip: string },
  lang: Lang,
): Promise<{ order: OrderJson; actor: OrderActor } | null> {
  const row = await readOrder(db, id, visitor, lang)
  return row && { order: withSums(row), actor: actorOf(visitor, row.customer_id) }
}

/** Signed-in staff act as staff, except on their own orders. All other visitors act as the customer. */
function actorOf({ user, ip }: OrderVisitor & { ip: string }, customerId: number): OrderActor {
  if (user && isStaff(user.role) && user.id !== customerId) return { kind: 'staff', id: user.id, ip }
  return { kind: 'customer', id: user?.id === customerId ? customerId : null }
}

async function readOrder(db: Db, id: number, visitor: OrderVisitor, lang: Lang): Promise<OrderRow | null> {
  if (!Number.isSafeInteger(id) || id < 1) return null
  const { rows } = await sql<OrderRow>`
    select o.customer_id, o.access_token_hash, o.view_key, ${orderDocument(lang)}
    from orders o where o.id = ${id}`.execute(db)
  const row = rows[0]
  return row && mayOpenOrder(row, visitor) ? row : null
}
