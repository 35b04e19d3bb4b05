import type { Db } from '#lib/db/db.server.ts'
import type { Actor } from './audit.server.ts'

/** The author of an order event: staff, or an author without an entry in the audit log. A customer who is not signed in has no id. */
export type OrderActor = Actor | { kind: 'customer'; id: number | null } | { kind: 'system' | 'gateway'; id: null }

interface OrderEvent {
  kind: string
  from?: string
  to?: string
  detail?: object
}

/**
 * Adds an event to an order's timeline, in the transaction of its command. Two events are added by SQL: `placed` by `insert_orders`, the
 * event of a skipped SMS by `claim_sms`. The file is not in `features/orders` because payments and messaging may not import orders.
 */
export async function addOrderEvent(tx: Db, orderId: number, actor: OrderActor, now: Date, event: OrderEvent): Promise<void> {
  await addOrderEvents(tx, actor, now, [{ orderId, ...event }])
}

/** Adds events of several orders in one statement. */
export async function addOrderEvents(
  tx: Db,
  actor: OrderActor,
  now: Date,
  events: readonly (OrderEvent & { orderId: number })[],
): Promise<void> {
  const author = { actor: actor.kind, actor_id: actor.id }
  const rows = events.map(({ orderId, kind, from = null, to = null, detail = {} }) => ({
    order_id: orderId,
    at: now,
    ...author,
    kind,
    from_status: from,
    to_status: to,
    detail: JSON.stringify(detail),
  }))
  await tx.insertInto('order_events').values(rows).execute()
}
