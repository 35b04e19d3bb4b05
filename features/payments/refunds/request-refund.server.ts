import { sql } from 'kysely'
import type { GatewayName } from '#features/payments/gateway.ts'
import { ulid } from '#lib/ids/ids.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'

export interface RefundOrder {
  orderId: number
  attemptId: number
  gateway: GatewayName
  gatewayTxn: string
  amountPoisha: Poisha
  reason: string
  /** False for a payment refused in review: its money is not in the ledger. */
  inLedger: boolean
  staffId: number
}

/**
 * Writes a refund down before anything is sent, inside the transaction that decides it; the order is locked. `sendRefund` sends it after
 * the commit, or the scheduled job does if the process dies in between. `failure` records one that cannot be sent at all.
 */
export async function writeRefund(tx: Db, refund: RefundOrder, now: Date, failure: string | null = null): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into gateway_refunds (order_id, attempt_id, gateway, gateway_txn, refund_id, amount_poisha, reason, state, failure, in_ledger, created_by,
      created_at, updated_at)
    values (${refund.orderId}, ${refund.attemptId}, ${refund.gateway}, ${refund.gatewayTxn}, ${ulid(now)}, ${refund.amountPoisha}, ${refund.reason},
      ${failure === null ? 'requested' : 'failed'}, ${failure}, ${refund.inLedger}, ${refund.staffId}, ${now}, ${now}) returning id`.execute(
    tx,
  )
  return rows[0]!.id
}
