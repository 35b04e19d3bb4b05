import { type RawBuilder, sql } from 'kysely'
import { addDays, dhakaInstant } from '#lib/format/time.ts'

// Days by the database. `lib/format/time.ts` has them by the clock of the process.

/** The day in Dhaka of an instant. */
export const dhakaDay = (at: RawBuilder<unknown>): RawBuilder<string> => sql`(${at} at time zone 'Asia/Dhaka')::date`

/** The hour in Dhaka of an instant, from 0 to 23. */
export const dhakaHour = (at: RawBuilder<unknown>): RawBuilder<number> => sql`extract(hour from ${at} at time zone 'Asia/Dhaka')::int`

/** The instant at which a day begins in Dhaka. */
export const dhakaDayStart = (day: RawBuilder<unknown>): RawBuilder<Date> => sql`(${day}::timestamp at time zone 'Asia/Dhaka')`

/** Today in Dhaka, by the clock of the database. */
export const DHAKA_TODAY: RawBuilder<string> = dhakaDay(sql`now()`)

/** Whether an instant is on the day in Dhaka, or on one from it to `last`. An index of the column serves it. */
export const isOnDays = (at: RawBuilder<unknown>, day: string, last = day): RawBuilder<boolean> =>
  sql`(${at} >= ${dhakaInstant(day)} and ${at} < ${dhakaInstant(addDays(last, 1))})`
