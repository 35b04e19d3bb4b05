// SQL of orders `o`, in poisha.
import { type RawBuilder, sql } from 'kysely'

/** The sum of the advances that the lines require. */
export const REQUIRED_ADVANCE: RawBuilder<number> = sql`(select coalesce(sum(advance_poisha), 0) from order_lines where order_id = o.id)`

/** What is missing of the advance, or of a total below it. Negative when more is paid. */
export const MISSING_ADVANCE: RawBuilder<number> = sql`(least(${REQUIRED_ADVANCE}, o.total_poisha) - amount_received(o))`
