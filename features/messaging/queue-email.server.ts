import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/**
 * Queues the email of a payment, in its transaction. `event` is unique per order. Nothing is queued while email is not configured or the
 * order has no address. The confirmation of an order is not queued here but by `queueConfirmations` (decision 39).
 */
export async function queuePaymentEmail(tx: Db, { orderId, event }: { orderId: number; event: string }): Promise<void> {
  await sql`insert into email_outbox (event_key, kind, order_id, recipient)
    select ${`${event}-of-${orderId}`}, 'payment-received', o.id, o.email from orders o, email_state s
    where o.id = ${orderId} and o.email <> '' and s.enabled_at is not null
    on conflict (event_key) do nothing`.execute(tx)
}
