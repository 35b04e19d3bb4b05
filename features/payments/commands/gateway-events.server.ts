import { sql } from 'kysely'
import type { Attempt } from '#features/payments/queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** True the first time an event is seen. */
export async function once(tx: Db, attempt: Attempt, eventId: string, outcome: string, paid: object, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into gateway_events (gateway, event_id, attempt_id, outcome, detail, at)
    values (${attempt.gateway}, ${eventId}, ${attempt.id}, ${outcome}, ${JSON.stringify(paid)}::jsonb, ${now}) on conflict do nothing`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** A line in the order's history. */
export async function note(tx: Db, attempt: Attempt, kind: string, detail: object, now: Date): Promise<void> {
  await sql`insert into order_events (order_id, at, actor, kind, detail)
    values (${attempt.orderId}, ${now}, 'gateway', ${kind}, ${JSON.stringify({ gateway: attempt.gateway, attemptId: attempt.id, ...detail })}::jsonb)`.execute(
    tx,
  )
}
