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

/**
 * The flag that orders `o` get when another one is cleared. The money of a rejected payment is not in the ledger: when its refund failed, only
 * this flag says that the customer has not got it back. A newer flag may have replaced it before the staff cleared it.
 */
export const FLAG_LEFT: RawBuilder<'refund-failed' | null> = sql`case when exists (
  select 1 from gateway_refunds r where r.order_id = o.id and r.state = 'failed' and not r.in_ledger
    and not exists (select 1 from gateway_refunds later where later.gateway = r.gateway and later.gateway_txn = r.gateway_txn
      and later.id > r.id and later.state <> 'failed')
    and not exists (select 1 from order_events e where e.order_id = o.id and e.kind = 'attention-cleared'
      and e.detail ->> 'flag' = 'refund-failed' and e.at >= r.updated_at)) then 'refund-failed' end`

/**
 * Clears the flag of a late or double payment when nothing is left to refund. `refund`: an amount paid back, retained or written off that is not
 * in the ledger yet. The order must be locked.
 */
export async function clearRefundFlag(tx: Db, orderId: number, refund: Poisha = ZERO): Promise<void> {
  await sql`update orders o set needs_attention = ${FLAG_LEFT} where id = ${orderId} and ${ASKS_FOR_REFUND} and amount_due(o) + ${refund} >= 0`.execute(
    tx,
  )
}

/** The flag of orders `o` after the review of a payment: cleared with the last attempt in review (`FLAG_LEFT`); other flags stay. */
export const FLAG_AFTER_REVIEW: RawBuilder<string | null> = sql`case when ${ASKS_FOR_REVIEW}
  and not exists (select 1 from payment_attempts where order_id = o.id and state = 'review') then ${FLAG_LEFT} else o.needs_attention end`
