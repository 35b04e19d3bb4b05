import { sql } from 'kysely'
import type { GatewayName } from '#features/payments/gateway.ts'
import { refundablePayments, type RefundState } from '#features/payments/refunds/queries.server.ts'
import { daysBefore } from '#lib/format/time.ts'
import type { Db } from '#lib/db/db.server.ts'

// Payments in review and gateway refunds for the admin. Money in taka.

/** A payment in review. */
export interface PaymentInReview {
  id: number
  gateway: GatewayName
  /** The requested amount, and the amount that the gateway reports. */
  asked: number
  paid: number
  currency: string
  transaction: string | null
  why: 'risky-payment' | 'payment-mismatch'
  at: string
}

export interface RefundRow {
  id: number
  gateway: GatewayName
  /** The gateway's id of the payment. `reference`: its id of the refund, when known. */
  transaction: string
  reference: string | null
  /** The shop's id of the refund, which the gateway's panel shows. */
  refund_id: string
  amount: number
  reason: string
  state: RefundState
  failure: string | null
  at: string
  sent_at: string | null
  by: string | null
}

/** A payment that can be refunded through its gateway. */
export interface Refundable {
  gateway: GatewayName
  transaction: string
  amount: number
  left: number
  /** False for a payment refused in review: refunding it does not change the amount due. */
  in_ledger: boolean
}

const review = sql`json_build_object('id', a.id, 'gateway', a.gateway, 'asked', a.amount_poisha / 100.0, 'paid', (h.detail ->> 'amountPoisha')::bigint / 100.0,
  'currency', h.detail ->> 'currency', 'transaction', a.gateway_txn, 'why', a.failure, 'at', h.at)`
const reviewed = sql`payment_attempts a join lateral (select detail, at from gateway_events where attempt_id = a.id and outcome = a.failure
  order by at desc limit 1) h on true`
const refund = sql`json_build_object('id', r.id, 'gateway', r.gateway, 'transaction', r.gateway_txn, 'reference', r.gateway_ref, 'refund_id', r.refund_id,
  'amount', r.amount_poisha / 100.0, 'reason', r.reason, 'state', r.state, 'failure', r.failure, 'at', r.created_at, 'sent_at', r.sent_at,
  'by', (select name from users where id = r.created_by))`

/** Fields of the JSON document of orders `o`: payments in review, gateway refunds, refundable payments. */
export const gatewayMoney = sql`
  'reviews', coalesce((select json_agg(${review} order by a.id) from ${reviewed} where a.order_id = o.id and a.state = 'review'), '[]'),
  'refunds', coalesce((select json_agg(${refund} order by r.id) from gateway_refunds r where r.order_id = o.id), '[]'),
  'refundable', coalesce((select json_agg(json_build_object('gateway', p.gateway, 'transaction', p.gateway_txn, 'amount', p.amount_poisha / 100.0,
    'left', p.left_poisha / 100.0, 'in_ledger', p.in_ledger) order by p.attempt_id, p.gateway_txn) from ${refundablePayments(sql`o.id`)} p), '[]')`

interface OfOrder {
  order_id: number
  status: string
  name: string
  phone: string
}
export type ListedReview = PaymentInReview & OfOrder
export type ListedRefund = RefundRow & OfOrder

const MAX_LISTED = 100
const DAYS_OF_FAILURES = 30

/** All payments in review, oldest first. All refunds that are open or failed in the last 30 days, unknown outcomes first. */
export async function listGatewayMoney(db: Db, now: Date): Promise<{ reviews: ListedReview[]; refunds: ListedRefund[] }> {
  const ofOrder = sql`o.id as order_id, o.status, o.name, o.phone`
  const [reviews, refunds] = await Promise.all([
    sql<OfOrder & { row: PaymentInReview }>`select ${ofOrder}, ${review} as row from ${reviewed} join orders o on o.id = a.order_id
      where a.state = 'review' order by a.updated_at, a.id limit ${MAX_LISTED}`.execute(db),
    sql<OfOrder & { row: RefundRow }>`select ${ofOrder}, ${refund} as row from gateway_refunds r join orders o on o.id = r.order_id
      where r.state in ('requested', 'unknown', 'processing') or (r.state = 'failed' and r.updated_at > ${daysBefore(now, DAYS_OF_FAILURES)})
      order by r.state <> 'unknown', r.state <> 'failed', r.id desc limit ${MAX_LISTED}`.execute(db),
  ])
  const flat = <Row extends object>({ row, ...order }: OfOrder & { row: Row }) => ({ ...row, ...order })
  return { reviews: reviews.rows.map(flat), refunds: refunds.rows.map(flat) }
}
