import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import type { Attempt } from '#features/payments/queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** Claims a gateway event. True the first time; a repeated event was handled already. */
export async function claimGatewayEvent(
  tx: Db,
  attempt: Attempt,
  eventId: string,
  outcome: string,
  paid: object,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into gateway_events (gateway, event_id, attempt_id, outcome, detail, at)
    values (${attempt.gateway}, ${eventId}, ${attempt.id}, ${outcome}, ${JSON.stringify(paid)}::jsonb, ${now}) on conflict do nothing`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** Adds an event of an attempt's gateway to the order's timeline. */
export function addGatewayOrderEvent(tx: Db, { orderId, gateway, id }: Attempt, kind: string, detail: object, now: Date): Promise<void> {
  return addOrderEvent(tx, orderId, { kind: 'gateway', id: null }, now, { kind, detail: { gateway, attemptId: id, ...detail } })
}
