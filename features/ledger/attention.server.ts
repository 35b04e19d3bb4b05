// Clears the flags of `orders.needs_attention` that the ledger or the payments settle. The staff clear the others.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type Poisha, ZERO } from '#lib/format/money.ts'
import type { AttentionFlag } from './rules.ts'

const isFlag = (flags: readonly AttentionFlag[]) => sql`o.needs_attention in (${sql.join(flags.map((flag) => sql.lit(flag)))})`

/** The money is in the ledger and asks for a refund. */
const ASKS_FOR_REFUND = isFlag(['paid-after-end', 'paid-twice'])

/** A payment waits for a review by the staff. */
const ASKS_FOR_REVIEW = isFlag(['payment-mismatch', 'risky-payment'])

/** Whether the staff have cleared a flag since `at`. */
const isCleared = (
  flag: RawBuilder<string>,
  at: RawBuilder<Date>,
) => sql<boolean>`exists (select 1 from order_events e where e.order_id = o.id
  and e.kind = 'attention-cleared' and e.detail ->> 'flag' = ${flag} and e.at >= ${at})`

/** The money of a rejected payment is not in the ledger: when its refund failed, only this flag says that the customer has not got it back. */
const REFUND_FAILED = sql`select 1 from gateway_refunds r where r.order_id = o.id and r.state = 'failed' and not r.in_ledger
  and not exists (select 1 from gateway_refunds later where later.gateway = r.gateway and later.gateway_txn = r.gateway_txn
    and later.id > r.id and later.state <> 'failed')
  and not ${isCleared(sql.lit('refund-failed'), sql`r.updated_at`)}`

/** The flag of an attempt in review, which is its `failure`. */
const IN_REVIEW = sql`select a.failure from payment_attempts a where a.order_id = o.id and a.state = 'review'
  and not ${isCleared(sql`a.failure`, sql`a.updated_at`)} order by a.id limit 1`

/** A payment in another currency under a paid attempt: it has no ledger entry and no review, so only this flag shows it. */
const HELD_ABROAD = sql`select 1 from payment_attempts a join gateway_events g on g.attempt_id = a.id where a.order_id = o.id
  and a.state = 'paid' and g.outcome = 'payment-mismatch' and g.detail ->> 'currency' <> 'BDT'
  and not ${isCleared(sql.lit('payment-mismatch'), sql`g.at`)}`

/** A payment that the staff recorded with another amount: the event of one that is held names no transaction. */
const RECORDED_OTHERWISE = sql`select 1 from order_events r where r.order_id = o.id and r.kind = 'payment-mismatch' and r.detail ? 'transaction'
  and not ${isCleared(sql.lit('payment-mismatch'), sql`r.at`)}`

/** A payment whose money is in the ledger of another order: only its event shows it beneath another flag. */
const RECORDED_ELSEWHERE = sql`select 1 from order_events r where r.order_id = o.id and r.kind = 'recorded-elsewhere'
  and not ${isCleared(sql.lit('recorded-elsewhere'), sql`r.at`)}`

/** The flag that orders `o` get when another one is cleared: one that it had replaced, or that nobody has settled. */
export const FLAG_LEFT: RawBuilder<string | null> = sql`case when exists (${REFUND_FAILED}) then 'refund-failed'
  else coalesce((${IN_REVIEW}), case when exists (${HELD_ABROAD}) or exists (${RECORDED_OTHERWISE}) then 'payment-mismatch' end,
    case when exists (${RECORDED_ELSEWHERE}) then 'recorded-elsewhere' end) end`

/**
 * Clears the flag of a late or double payment when nothing is left to refund. `refund`: an amount paid back, retained or written off that is not
 * in the ledger yet. The order must be locked.
 */
export async function clearRefundFlag(tx: Db, orderId: number, refund: Poisha = ZERO): Promise<void> {
  await sql`update orders o set needs_attention = ${FLAG_LEFT} where id = ${orderId} and ${ASKS_FOR_REFUND} and amount_due(o) + ${refund} >= 0`.execute(
    tx,
  )
}

/** The flag of orders `o` after the review of a payment; flags that no review settles stay. */
export const FLAG_AFTER_REVIEW: RawBuilder<string | null> = sql`case when ${ASKS_FOR_REVIEW} then ${FLAG_LEFT} else o.needs_attention end`
