// Pre-bookings of Kurbani cows and the orders that came of them. The phone is all that the two have in common: staff enter the order, or the
// customer places it on the website.
import { type RawBuilder, sql } from 'kysely'

/** Orders `o` with a Kurbani animal that the phone of pre-bookings `b` placed within a year after them: a season later they are forgotten. */
export const CAME_OF_BOOKING: RawBuilder<boolean> = sql`(o.phone = b.phone and o.placed_at >= b.created_at
  and o.placed_at < b.created_at + interval '1 year'
  and exists (select 1 from order_lines l join products p on p.id = l.product_id join categories c on c.id = p.category_id
    where l.order_id = o.id and p.is_unique and c.key = 'kurbani'))`

/** When the latest pre-booking was made of which orders `o` came; null without one. */
export const PRE_BOOKED_AT: RawBuilder<string | null> = sql`(select max(b.created_at) from kurbani_bookings b where ${CAME_OF_BOOKING})`
