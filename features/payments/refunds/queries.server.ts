import { type RawBuilder, sql } from 'kysely'
import type { GatewayName } from '#features/payments/gateway.ts'
import { lockOrderRow } from '#features/payments/queries.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { type SnakeCased, toCamel } from '#lib/db/rows.ts'
import type { Poisha } from '#lib/format/money.ts'

/** `requested`: not sent yet. `unknown`: sent, without a known outcome. `processing`: accepted by the gateway. */
export type RefundState = 'requested' | 'unknown' | 'processing' | 'done' | 'failed'

export interface GatewayRefund {
  id: number
  orderId: number
  attemptId: number
  gateway: GatewayName
  gatewayTxn: string
  /** The gateway's reference of the payment session, required by bKash. */
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

export async function findRefund(db: Db, id: number): Promise<GatewayRefund | null> {
  const row = await db
    .selectFrom('gateway_refunds as r')
    .innerJoin('payment_attempts as a', 'a.id', 'r.attempt_id')
    .select(['r.id', 'r.order_id', 'r.attempt_id', 'r.gateway', 'r.gateway_txn', 'a.gateway_ref as session_ref', 'r.refund_id'])
    .select(['r.amount_poisha', 'r.reason', 'r.state', 'r.gateway_ref', 'r.in_ledger', 'r.ledger_entry_id', 'r.created_by', 'r.sent_at'])
    .where('r.id', '=', id)
    .executeTakeFirst()
  return row ? toCamel<GatewayRefund>(row) : null
}

/** Locks the order, then the refund: the lock order of every change of a refund. Null when there is no such refund. */
export async function lockRefund(tx: Db, id: number): Promise<GatewayRefund | null> {
  const refund = await findRefund(tx, id)
  if (!refund) return null
  await lockOrderRow(tx, refund.orderId)
  await tx.selectFrom('gateway_refunds').select('id').where('id', '=', id).forUpdate().execute()
  return findRefund(tx, id)
}

/** The gateway's ids of the other refunds of the same payment. */
export async function listOtherRefs(db: Db, refund: GatewayRefund): Promise<string[]> {
  const rows = await db
    .selectFrom('gateway_refunds')
    .select('gateway_ref')
    .where('gateway', '=', refund.gateway)
    .where('gateway_txn', '=', refund.gatewayTxn)
    .where('id', '<>', refund.id)
    .where('gateway_ref', 'is not', null)
    .$narrowType<{ gateway_ref: string }>()
    .execute()
  return rows.map((row) => row.gateway_ref)
}

/** Whether a payment was refunded through its gateway, or is being refunded. */
export async function hasRefund(db: Db, gateway: GatewayName, gatewayTxn: string): Promise<boolean> {
  const refund = db.selectFrom('gateway_refunds').select('id').where('gateway', '=', gateway).where('gateway_txn', '=', gatewayTxn)
  return (await refund.executeTakeFirst()) !== undefined
}

/** Whether a payment that never counted goes back to its customer, or has gone back: by its transaction id, as staff type it. */
export async function isSentBack(db: Db, method: string, transactionId: string | null): Promise<boolean> {
  if (transactionId === null) return false
  const refund = await db
    .selectFrom('gateway_refunds')
    .select('id')
    .where('gateway', '=', method as GatewayName)
    .where('gateway_txn', '=', transactionId)
    .where('in_ledger', '=', false)
    .where('state', '<>', 'failed')
    .executeTakeFirst()
  return refund !== undefined
}

/** A payment that can be refunded through its gateway. `leftPoisha`: the part that is not refunded yet. */
export interface RefundablePayment {
  attemptId: number
  gateway: GatewayName
  gatewayTxn: string
  amountPoisha: Poisha
  leftPoisha: Poisha
  /** False for a payment rejected in review, which is in the ledger only where staff have recorded it by hand. */
  inLedger: boolean
}

/** The refundable payments of an order as a subquery: sums that a gateway took, less refunds made or in progress. */
export const refundablePayments = (orderId: RawBuilder<unknown>) => sql`(
  select a.id as attempt_id, a.gateway, e.txn as gateway_txn, e.amount as amount_poisha, e.amount - e.refunded as left_poisha,
    a.state <> 'refused' or exists (select 1 from ledger_entries where method = a.gateway and reference = e.txn) as in_ledger
  from payment_attempts a cross join lateral (
    select distinct on (p.txn) p.txn, p.amount, (select coalesce(sum(r.amount_poisha), 0)::bigint from gateway_refunds r
      where r.gateway = a.gateway and r.gateway_txn = p.txn and r.state <> 'failed') as refunded
    from (select detail ->> 'gatewayTxn' as txn, (detail ->> 'amountPoisha')::bigint as amount from gateway_events
      where attempt_id = a.id and (outcome = 'paid' or (a.state = 'refused' and outcome in ('risky-payment', 'payment-mismatch'))
        and coalesce(detail ->> 'currency', 'BDT') = 'BDT')) p order by p.txn) e
  where a.order_id = ${orderId} and a.state in ('paid', 'refused') and e.amount > e.refunded)`

/** The payments of an order that a gateway can refund, at least in part. */
export async function listRefundable(db: Db, orderId: number): Promise<RefundablePayment[]> {
  const { rows } = await sql<SnakeCased<RefundablePayment>>`
    select * from ${refundablePayments(sql`${orderId}::bigint`)} p order by attempt_id`.execute(db)
  return rows.map(toCamel<RefundablePayment>)
}

/** The sum of an order's gateway refunds in progress that the ledger lacks, while it has their payments, as a subquery. */
export const refundsUnderWay = (orderId: RawBuilder<unknown>) => sql`(select coalesce(sum(amount_poisha), 0)::bigint from gateway_refunds
  where order_id = ${orderId} and in_ledger and state in ('requested', 'unknown'))`

/** The same as a number. */
export async function sumOfRefundsUnderWay(db: Db, orderId: number): Promise<Poisha> {
  const { rows } = await sql<{ sum: Poisha }>`select ${refundsUnderWay(sql`${orderId}`)} as sum`.execute(db)
  return rows[0]!.sum
}
