import { sql } from 'kysely'
import { addOrderEvent } from '#features/audit/order-events.server.ts'
import type { GatewayEventDetail, Receipt } from '#features/payments/gateway.ts'
import type { Attempt } from '#features/payments/queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'

/** Begins the event id of a payment that is held for review. Its own id stays free for recording the payment. */
export const HELD_PREFIX = 'held:'

/** Claims an event of the attempt's gateway. False when the event was claimed already. */
export async function claimGatewayEvent(
  tx: Db,
  { gateway, id }: Attempt,
  { eventId, outcome, detail, at }: { eventId: string; outcome: string; detail: Receipt; at: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('gateway_events')
    .values({ gateway, event_id: eventId, attempt_id: id, outcome, detail: JSON.stringify(detail), at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The payments in taka that are held for review under an attempt, as they were reported. */
export async function listHeldPayments(tx: Db, attemptId: number): Promise<Receipt[]> {
  const { rows } = await sql<{ detail: GatewayEventDetail }>`select detail from gateway_events
    where attempt_id = ${attemptId} and starts_with(event_id, ${HELD_PREFIX}) and detail ->> 'currency' = 'BDT' order by at, event_id`.execute(
    tx,
  )
  return rows.map(({ detail }) => detail)
}

/** The number of payments in any currency that are held for review under an attempt. */
export async function countHeldPayments(db: Db, attemptId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from gateway_events
    where attempt_id = ${attemptId} and starts_with(event_id, ${HELD_PREFIX})`.execute(db)
  return rows[0]!.count
}

/** Removes the holds of a rejected attempt that are not refunded: the gateway did not report their payments. One that it reports again is held again. */
export async function releaseHeldPayments(tx: Db, attemptId: number): Promise<void> {
  await sql`delete from gateway_events e where attempt_id = ${attemptId} and starts_with(event_id, ${HELD_PREFIX}) and not exists (
    select 1 from gateway_refunds r where r.gateway = e.gateway and r.gateway_txn = e.detail ->> 'gatewayTxn')`.execute(tx)
}

/** Adds an event of an attempt's gateway to the order's timeline. */
export function addGatewayOrderEvent(tx: Db, { orderId, gateway, id }: Attempt, kind: string, detail: object, now: Date): Promise<void> {
  return addOrderEvent(tx, orderId, { kind: 'gateway', id: null }, now, { kind, detail: { gateway, attemptId: id, ...detail } })
}
