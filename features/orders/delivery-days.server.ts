// The day an order goes out is `deliver_on`: that of its list, or of its animals where that is later, as the database keeps it with the
// order. A cow that is booked weeks before its season is on no list until then. The day of other goods says when they can be had next,
// and moves nothing.
import { type RawBuilder, sql } from 'kysely'

/** Orders `o` that are still to go out: they live and wait for no payment. */
export const STILL_TO_GO: RawBuilder<unknown> = sql`o.status in ('placed', 'processing', 'on_delivery') and o.expires_at is null`

/** Orders `o` that should have come before a day and have not. */
export function lateOn(day: string): RawBuilder<unknown> {
  return sql`${STILL_TO_GO} and o.deliver_on < ${day}::date`
}
