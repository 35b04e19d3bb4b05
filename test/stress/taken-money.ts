import { sql } from 'kysely'
import type { Attempt } from '#features/payments/queries.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import type { World } from './world.ts'

/** Payments that a gateway took, and that are neither in the ledger, nor in a review, nor being refunded: money that the shop does not know of. */
export async function unknownPayments({ db, simulator }: World): Promise<object[]> {
  const { rows } = await sql<
    SnakeCased<Attempt>
  >`select id, order_id, gateway, tran_id, gateway_ref, amount_poisha, state, is_rest, redirect_url, failure, created_at
    from payment_attempts where gateway_ref is not null`.execute(db)
  const unknown: object[] = []
  for (const attempt of rows.map(toCamel<Attempt>)) {
    const outcome = await simulator[attempt.gateway].query(attempt)
    if (outcome.state !== 'paid' || attempt.state === 'review') continue
    for (const { gatewayTxn, amountPoisha } of [outcome, ...outcome.extra]) {
      const { rows: known } = await sql`
        select 1 from ledger_entries where method = ${attempt.gateway} and reference = ${gatewayTxn} and amount_poisha > 0
        union all select 1 from gateway_refunds where gateway = ${attempt.gateway} and gateway_txn = ${gatewayTxn} and not in_ledger
          having sum(amount_poisha) >= ${amountPoisha}`.execute(db)
      if (known.length === 0) unknown.push({ order: attempt.orderId, attempt: attempt.id, state: attempt.state, gatewayTxn, amountPoisha })
    }
  }
  return unknown
}
