// SQL of orders `o`.
import { type RawBuilder, sql } from 'kysely'
import { REQUIRED_ADVANCE } from '#features/ledger/ledger.server.ts'

/** The order waits for an advance that the customer transfers by hand. */
export const AWAITS_ADVANCE: RawBuilder<boolean> = sql`o.status = 'placed' and o.payment_type = 'partial' and o.payment_gateway = 'NONE'`

/** What is missing of the advance, or of a total below it, in poisha. Negative when more is paid. */
export const MISSING_ADVANCE: RawBuilder<number> = sql`(least(${REQUIRED_ADVANCE}, o.total_poisha) - amount_received(o))`
