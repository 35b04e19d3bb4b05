import { sql } from 'kysely'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { findRefund, type RefundState } from '#features/payments/refunds/queries.server.ts'
import { recordRefund } from '#features/payments/refunds/record-refund.server.ts'

/**
 * Sends a requested refund to its gateway, once. The refund is `unknown` from before the call until its answer is recorded: a crash in
 * between leaves it so, and it is asked about, never sent again. Never call it inside a transaction.
 */
export async function sendRefund(deps: PaymentDeps, id: number): Promise<RefundState> {
  const refund = (await findRefund(deps.db, id))!
  const gateway = deps.gateways[refund.gateway]
  if (!gateway || !(await claim(deps, id))) return (await findRefund(deps.db, id))!.state
  const { refundId, gatewayTxn, sessionRef, amountPoisha, reason } = refund
  return recordRefund(deps, id, await gateway.refund({ refundId, gatewayTxn, gatewayRef: sessionRef, amountPoisha, reason }))
}

/** Of several callers one sends. */
async function claim(deps: PaymentDeps, id: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update gateway_refunds set state = 'unknown', sent_at = ${deps.now()}, updated_at = ${deps.now()}
    where id = ${id} and state = 'requested'`.execute(deps.db)
  return numAffectedRows === 1n
}
