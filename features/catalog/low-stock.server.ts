import { type RawBuilder, sql } from 'kysely'

/** The column `is_low_stock` is true for stock up to this number of units. Its index finds most lists of low stock. */
const FLAG_UNITS = 100

/** SQL condition: products `p` that are counted, with at most this many units in stock. */
export const isLowStock = (units: number): RawBuilder<boolean> =>
  sql`${units <= FLAG_UNITS ? sql`p.is_low_stock` : sql`not p.is_unique`} and p.stock_milli <= ${units * 1000}`
