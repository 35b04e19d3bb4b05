import { addOrderEvent } from '#features/audit/order-events.server.ts'
import type { Attempt } from '#features/payments/queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** Claims an event of the attempt's gateway. False when the event was claimed already. */
export async function claimGatewayEvent(
  tx: Db,
  { gateway, id }: Attempt,
  { eventId, outcome, detail, at }: { eventId: string; outcome: string; detail: object; at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('gateway_events')
    .values({ gateway, event_id: eventId, attempt_id: id, outcome, detail: JSON.stringify(detail), at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Adds an event of an attempt's gateway to the order's timeline. */
export function addGatewayOrderEvent(tx: Db, { orderId, gateway, id }: Attempt, kind: string, detail: object, now: Date): Promise<void> {
  return addOrderEvent(tx, orderId, { kind: 'gateway', id: null }, now, { kind, detail: { gateway, attemptId: id, ...detail } })
}
