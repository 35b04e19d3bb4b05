import { type RawBuilder, sql } from 'kysely'

/** SQL condition: products `p` that are counted, with at most this many units in stock. */
export const isLowStock = (units: number): RawBuilder<boolean> => sql`not p.is_unique and p.stock_milli <= ${units * 1000}`
