// SQL of orders `o`.
import { type RawBuilder, sql } from 'kysely'
import { REQUIRED_ADVANCE } from '#features/ledger/ledger.server.ts'

/** The order waits for an advance that the customer transfers by hand. */
export const AWAITS_ADVANCE: RawBuilder<boolean> = sql`o.status = 'placed' and o.payment_type = 'partial' and o.payment_gateway = 'NONE'`

/** What is missing of the advance, or of a total below it, in poisha. Negative when more is paid. */
export const MISSING_ADVANCE: RawBuilder<number> = sql`(least(${REQUIRED_ADVANCE}, o.total_poisha) - amount_received(o))`

/** Money of the customer may have come that the staff have not checked: a reported advance, or a payment in review. */
export const IS_BEING_CHECKED: RawBuilder<boolean> = sql`(exists (select 1 from advance_reports c where c.order_id = o.id and c.state = 'waiting')
  or exists (select 1 from payment_attempts a where a.order_id = o.id and a.state = 'review'))`
