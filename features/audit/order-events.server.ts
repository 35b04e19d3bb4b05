import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'

/** The author of an order event. The id is the user's; the system and a gateway have none. */
export interface OrderActor {
  kind: 'customer' | 'staff' | 'system' | 'gateway'
  id: number | null
  /** The network address of staff, for the audit log. */
  ip?: string
}

export interface OrderEvent {
  kind: string
  from?: string
  to?: string
  detail?: object
}

/**
 * Adds an event to an order's timeline, in the transaction of its command. Only SQL adds others: `insert_orders` the event `placed`,
 * `claim_sms` the event of a skipped SMS. It lies here, and not in orders, because payments and messaging lie below orders.
 */
export async function addOrderEvent(tx: Db, orderId: number, actor: OrderActor, now: Date, event: OrderEvent): Promise<void> {
  await sql`insert into order_events (order_id, at, actor, actor_id, kind, from_status, to_status, detail)
    values (${orderId}, ${now}, ${actor.kind}, ${actor.id}, ${event.kind}, ${event.from ?? null}, ${event.to ?? null},
      ${JSON.stringify(event.detail ?? {})}::jsonb)`.execute(tx)
}
