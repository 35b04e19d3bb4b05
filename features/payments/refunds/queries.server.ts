import { sql } from 'kysely'
import type { GatewayName } from '#features/payments/gateway.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Poisha } from '#lib/format/money.ts'

/** `requested`: not sent yet. `unknown`: sent, the outcome is not known. `processing`: accepted by the gateway. */
export type RefundState = 'requested' | 'unknown' | 'processing' | 'done' | 'failed'

export interface GatewayRefund {
  id: number
  orderId: number
  attemptId: number
  gateway: GatewayName
  gatewayTxn: string
  /** The gateway's reference of the payment session, which bKash asks for. */
  sessionRef: string | null
  refundId: string
  amountPoisha: Poisha
  reason: string
  state: RefundState
  /** The gateway's id of the refund. */
  gatewayRef: string | null
  inLedger: boolean
  ledgerEntryId: number | null
  createdBy: number
  sentAt: Date | null
}

const columns = sql`r.id, r.order_id as "orderId", r.attempt_id as "attemptId", r.gateway, r.gateway_txn as "gatewayTxn", a.gateway_ref as "sessionRef",
  r.refund_id as "refundId", r.amount_poisha as "amountPoisha", r.reason, r.state, r.gateway_ref as "gatewayRef", r.in_ledger as "inLedger",
  r.ledger_entry_id as "ledgerEntryId", r.created_by as "createdBy", r.sent_at as "sentAt"`

export async function findRefund(db: Db, id: number): Promise<GatewayRefund | null> {
  const { rows } = await sql<GatewayRefund>`select ${columns} from gateway_refunds r join payment_attempts a on a.id = r.attempt_id
    where r.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Locks the order, then the refund: the lock order of every change of a refund. Null when there is no such refund. */
export async function lockRefund(tx: Db, id: number): Promise<GatewayRefund | null> {
  const refund = await findRefund(tx, id)
  if (!refund) return null
  await sql`select 1 from orders where id = ${refund.orderId} for update`.execute(tx)
  await sql`select 1 from gateway_refunds where id = ${id} for update`.execute(tx)
  return findRefund(tx, id)
}

/** The gateway's ids of the other refunds of the same payment. */
export async function listOtherRefs(db: Db, refund: GatewayRefund): Promise<string[]> {
  const { rows } = await sql<{ ref: string }>`select gateway_ref as ref from gateway_refunds
    where gateway = ${refund.gateway} and gateway_txn = ${refund.gatewayTxn} and id <> ${refund.id} and gateway_ref is not null`.execute(db)
  return rows.map(({ ref }) => ref)
}

/** A payment that can be refunded through its gateway, and how much of it is left. */
export interface RefundablePayment {
  attemptId: number
  gateway: GatewayName
  gatewayTxn: string
  amountPoisha: Poisha
  leftPoisha: Poisha
  /** False for a payment refused in review: its money is not in the ledger. */
  inLedger: boolean
}

/** The refundable payments of order `of` as a subquery: what a gateway took, less refunds made or under way. */
export const refundablePayments = (of: ReturnType<typeof sql>) => sql`(
  select a.id as "attemptId", a.gateway, e.txn as "gatewayTxn", e.amount as "amountPoisha", e.amount - e.refunded as "leftPoisha",
    a.state <> 'refused' as "inLedger"
  from payment_attempts a cross join lateral (
    select distinct on (p.txn) p.txn, p.amount, (select coalesce(sum(r.amount_poisha), 0)::bigint from gateway_refunds r
      where r.gateway = a.gateway and r.gateway_txn = p.txn and r.state <> 'failed') as refunded
    from (select detail ->> 'gatewayTxn' as txn, (detail ->> 'amountPoisha')::bigint as amount from gateway_events
      where attempt_id = a.id and (outcome = 'paid' or (a.state = 'refused' and outcome in ('risky-payment', 'payment-mismatch'))
        and coalesce(detail ->> 'currency', 'BDT') = 'BDT')) p order by p.txn) e
  where a.order_id = ${of} and a.state in ('paid', 'refused') and e.amount > e.refunded)`

export async function listRefundable(db: Db, orderId: number): Promise<RefundablePayment[]> {
  const { rows } =
    await sql<RefundablePayment>`select * from ${refundablePayments(sql`${orderId}::bigint`)} p order by "attemptId"`.execute(db)
  return rows
}

/** The sum of an order's gateway refunds that are on their way and not in the ledger yet, though their payments are. */
export async function sumOfRefundsUnderWay(db: Db, orderId: number): Promise<Poisha> {
  const { rows } = await sql<{ sum: Poisha }>`select coalesce(sum(amount_poisha), 0)::bigint as sum from gateway_refunds
    where order_id = ${orderId} and in_ledger and state in ('requested', 'unknown')`.execute(db)
  return rows[0]!.sum
}
