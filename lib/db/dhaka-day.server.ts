import { type RawBuilder, sql } from 'kysely'
import { addDays, dhakaInstant } from '#lib/format/time.ts'

// Days by the database. `lib/format/time.ts` has them by the clock of the process.

/** The day in Dhaka of an instant. */
export const dhakaDay = (at: RawBuilder<unknown>): RawBuilder<string> => sql`(${at} at time zone 'Asia/Dhaka')::date`

/** Today in Dhaka, by the clock of the database. */
export const DHAKA_TODAY: RawBuilder<string> = dhakaDay(sql`now()`)

/** Whether an instant is on the day in Dhaka, or on one from it to `last`. An index of the column serves it. */
export const isOnDays = (at: RawBuilder<unknown>, day: string, last = day): RawBuilder<boolean> =>
  sql`(${at} >= ${dhakaInstant(day)} and ${at} < ${dhakaInstant(addDays(last, 1))})`
