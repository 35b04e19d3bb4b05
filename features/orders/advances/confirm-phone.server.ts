import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import { expiresAt, type Expiry } from '#features/payments/deadline-rules.ts'
import { AWAITS_ADVANCE } from '../status-conditions.server.ts'

// An order that waits for an advance by hand has a short deadline. Verifying its phone by an SMS code extends it [S3].

/** An order whose deadline a verified phone would extend. */
export interface ExtendableOrder {
  phone: string
  customerId: number
  browserHash: Buffer | null
  viewKey: string
}

const IS_EXTENDABLE = sql`${AWAITS_ADVANCE} and o.expires_at is not null and not o.phone_verified`

/** The order, if verifying its phone would extend the deadline; else null. */
export async function findExtendableOrder(db: Db, id: number): Promise<ExtendableOrder | null> {
  const { rows } = await sql<SnakeCased<ExtendableOrder>>`
    select o.phone, o.customer_id, o.access_token_hash as browser_hash, o.view_key
    from orders o where o.id = ${id} and ${IS_EXTENDABLE}`.execute(db)
  return rows[0] ? toCamel<ExtendableOrder>(rows[0]) : null
}

/** The order and its phone that was just verified. */
export interface VerifiedOrder {
  id: number
  phone: string
}

/** Extends the deadline of the order. Does nothing if it has ended, was extended before, or has another phone by now. */
export async function extendVerifiedOrder(tx: Db, { id, phone }: VerifiedOrder, now: Date, expiry: Expiry): Promise<void> {
  const { rows } = await sql<{ placed_at: Date }>`
    select o.placed_at from orders o where o.id = ${id} and o.phone = ${phone} and ${IS_EXTENDABLE} for update`.execute(tx)
  if (!rows[0]) return
  const until = expiresAt(rows[0].placed_at, 'verified-phone', expiry)
  await sql`update orders set phone_verified = true, expires_at = greatest(expires_at, ${until}) where id = ${id}`.execute(tx)
  await addOrderEvent(tx, id, { kind: 'customer', id: null }, now, { kind: 'phone-proven' })
}
