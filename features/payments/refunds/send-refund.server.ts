import type { PaymentDeps } from '#features/payments/deps.ts'
import { findRefund, type RefundState } from '#features/payments/refunds/queries.server.ts'
import { recordRefundOutcome } from '#features/payments/refunds/record-refund.server.ts'

/**
 * Sends a requested refund to its gateway, at most once. The refund is `unknown` from before the call until its response is recorded. After
 * a crash in between it is queried, never sent again. Never call it inside a transaction.
 */
export async function sendRefund(deps: PaymentDeps, id: number): Promise<RefundState> {
  const refund = (await findRefund(deps.db, id))!
  const gateway = deps.gateways[refund.gateway]
  if (!gateway || !(await claim(deps, id))) return (await findRefund(deps.db, id))!.state
  const { refundId, gatewayTxn, sessionRef, amountPoisha, reason } = refund
  return recordRefundOutcome(deps, id, await gateway.refund({ refundId, gatewayTxn, gatewayRef: sessionRef, amountPoisha, reason }))
}

/** True for one of several concurrent callers: that caller sends. */
async function claim(deps: PaymentDeps, id: number): Promise<boolean> {
  const { numUpdatedRows } = await deps.db
    .updateTable('gateway_refunds')
    .set({ state: 'unknown', sent_at: deps.now(), updated_at: deps.now() })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
