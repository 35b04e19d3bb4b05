// SQL of lists with keyset pagination (keyset.ts).
import { type RawBuilder, sql } from 'kysely'
import { isAscending, type ListView } from './keyset.ts'

/** `beyond`: the condition of the rows beyond the cursor. `direction`: `asc` or `desc`, for `order by`. */
interface NumericCursor {
  beyond: RawBuilder<unknown>
  direction: RawBuilder<unknown>
}

/** The cursor of a list that is sorted by one column of whole numbers, such as the id. A cursor that is no number is the start of the list. */
export function numericCursor(column: RawBuilder<unknown>, view: Pick<ListView, 'backward' | 'from' | 'order'>): NumericCursor {
  const from = Number(view.from?.[0])
  const isUp = isAscending(view)
  // Without the cast PostgreSQL reads it in the type of the column, which may be too small for it.
  const key = sql`${from}::bigint`
  const beyond = Number.isSafeInteger(from) ? (isUp ? sql`${column} > ${key}` : sql`${column} < ${key}`) : sql`true`
  return { beyond, direction: isUp ? sql`asc` : sql`desc` }
}

/** A time as whole microseconds, the precision of PostgreSQL: a part of a cursor. */
export const toMicros = (at: RawBuilder<unknown>): RawBuilder<number> => sql`(extract(epoch from ${at}) * 1000000)::bigint`

/** The time of a part of a cursor, from whole microseconds. */
export const fromMicros = (micros: RawBuilder<unknown>): RawBuilder<Date> =>
  sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond')`
