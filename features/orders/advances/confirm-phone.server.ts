import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { expiresAt, type Expiry } from '../rules.ts'

// An order whose advance is to be sent by hand is held briefly. Its buyer proves the phone by an SMS code to have it held longer [S3].

/** An order that a proven phone would keep longer. */
export interface ProvableOrder {
  phone: string
  customerId: number
  browserHash: Buffer | null
  viewKey: string
}

const isProvable = sql`o.status = 'placed' and o.payment_type = 'partial' and o.payment_gateway = 'NONE' and o.expires_at is not null and not o.phone_verified`

/** The order, while proving its phone would keep it longer; else null. */
export async function findProvableOrder(db: Db, id: number): Promise<ProvableOrder | null> {
  const { rows } = await sql<ProvableOrder>`
    select o.phone, o.customer_id as "customerId", o.access_token_hash as "browserHash", o.view_key as "viewKey"
    from orders o where o.id = ${id} and ${isProvable}`.execute(db)
  return rows[0] ?? null
}

/** Keeps the order of a phone that was just proven. An order that ended meanwhile, or was kept already, stays as it is. */
export async function extendVerifiedOrder(tx: Db, id: number, now: Date, expiry: Expiry): Promise<void> {
  const { rows: found } = await sql<{
    placed_at: Date
  }>`select o.placed_at from orders o where o.id = ${id} and ${isProvable} for update`.execute(tx)
  if (!found[0]) return
  const until = expiresAt(found[0].placed_at, 'proven', expiry)
  await sql`update orders set phone_verified = true, expires_at = greatest(expires_at, ${until}) where id = ${id}`.execute(tx)
  await addOrderEvent(tx, id, { kind: 'customer', id: null }, now, { kind: 'phone-proven' })
}
