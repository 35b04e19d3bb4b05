import { type RawBuilder, sql } from 'kysely'
import { ORDERABLE_STATUSES } from './rules.ts'

/** SQL condition: products `p` whose status can be ordered. As `isOrderable`; the product must be visible too. */
export const IS_ORDERABLE: RawBuilder<boolean> = sql`p.status in (${sql.join(ORDERABLE_STATUSES.map((status) => sql.lit(status)))})`
