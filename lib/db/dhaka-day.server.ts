import { type RawBuilder, sql } from 'kysely'

// Days by the database. `lib/format/time.ts` has them by the clock of the process.

/** The day in Dhaka of an instant. */
export const dhakaDay = (at: RawBuilder<unknown>): RawBuilder<string> => sql`(${at} at time zone 'Asia/Dhaka')::date`

/** Today in Dhaka, by the clock of the database. */
export const DHAKA_TODAY: RawBuilder<string> = dhakaDay(sql`now()`)
