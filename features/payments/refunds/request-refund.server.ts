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
  /** False for a payment rejected in review that staff have not recorded by hand. */
  inLedger: boolean
  staffId: number
}

/**
 * Writes a refund inside the transaction that decides it; the order must be locked. `sendRefund` sends it after the commit, or the scheduled
 * job does after a crash. `failure` records a refund that cannot be sent. Returns its id.
 */
export async function writeRefund(tx: Db, refund: RefundOrder, now: Date, failure: string | null = null): Promise<number> {
  const { id } = await tx
    .insertInto('gateway_refunds')
    .values({
      order_id: refund.orderId,
      attempt_id: refund.attemptId,
      gateway: refund.gateway,
      gateway_txn: refund.gatewayTxn,
      refund_id: ulid(now),
      amount_poisha: refund.amountPoisha,
      reason: refund.reason,
      state: failure === null ? 'requested' : 'failed',
      failure,
      in_ledger: refund.inLedger,
      created_by: refund.staffId,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
