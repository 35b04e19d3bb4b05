import { sql } from 'kysely'
import type { PaymentDeps } from '#features/payments/deps.ts'
import { runEach } from '#lib/db/run-each.server.ts'
import { findRefund, listOtherRefs, type RefundState } from '#features/payments/refunds/queries.server.ts'
import { recordRefundOutcome } from '#features/payments/refunds/record-refund.server.ts'
import { sendRefund } from '#features/payments/refunds/send-refund.server.ts'

/**
 * Longer than sending to any gateway: bKash is asked for a token and for the refund, and for both again when the token has expired, each with
 * a timeout of 30 s. A refund that was sent earlier has no call in progress.
 */
export const CALL_OVER_MS = 150_000

const MAX_BATCH = 20

/**
 * Scheduled job for open refunds: sends those that a crash left unsent and queries the gateway about the others. The interval grows with the
 * age of the refund, up to six hours. Several processes may run it concurrently. The error of a refund is thrown after the others. Returns
 * the number of refunds handled.
 */
export async function followRefunds(deps: PaymentDeps): Promise<number> {
  const due = await claimDue(deps)
  await runEach(due, ({ id, state }) => (state === 'requested' ? sendRefund(deps, id) : queryRefund(deps, id)))
  return due.length
}

/** Claims due refunds by setting `updated_at`. */
async function claimDue(deps: PaymentDeps): Promise<{ id: number; state: RefundState }[]> {
  const now = deps.now()
  const { rows } = await sql<{ id: number; state: RefundState }>`
    with due as (
      select id from gateway_refunds where state in ('requested', 'unknown', 'processing')
        and updated_at < ${now}::timestamptz - greatest(interval '1 minute', least(interval '6 hours', (${now}::timestamptz - created_at) / 3))
        and (sent_at is null or sent_at < ${new Date(now.getTime() - CALL_OVER_MS)})
      order by updated_at limit ${MAX_BATCH} for update skip locked)
    update gateway_refunds r set updated_at = ${now} from due where r.id = due.id returning r.id, r.state`.execute(deps.db)
  return rows
}

async function queryRefund(deps: PaymentDeps, id: number): Promise<void> {
  const refund = (await findRefund(deps.db, id))!
  const gateway = deps.gateways[refund.gateway]
  if (!gateway) return
  const { gatewayRef, gatewayTxn, sessionRef, amountPoisha } = refund
  const otherRefs = await listOtherRefs(deps.db, refund)
  await recordRefundOutcome(
    deps,
    id,
    await gateway.refundStatus({ refundRef: gatewayRef, gatewayTxn, gatewayRef: sessionRef, amountPoisha, otherRefs }),
  )
}
