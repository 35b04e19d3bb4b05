// Pre-bookings of Kurbani cows and the orders that came of them. The phone is all that the two have in common: staff enter the order, or the
// customer places it on the website.
import { type RawBuilder, sql } from 'kysely'
import { isInKeyedCategory } from '#features/catalog/keyed-category.server.ts'
import { IS_LIVE } from './status-conditions.server.ts'

/** Orders `o` with a Kurbani animal that the phone of pre-bookings `b` placed within a year after them: a season later they are forgotten. */
export const CAME_OF_BOOKING: RawBuilder<boolean> = sql`(o.phone = b.phone and o.placed_at >= b.created_at
  and o.placed_at < b.created_at + interval '1 year'
  and exists (select 1 from order_lines l join products p on p.id = l.product_id
    where l.order_id = o.id and p.is_unique and ${isInKeyedCategory('kurbani')}))`

/** When the latest pre-booking was made of which orders `o` came; null without one. */
export const PRE_BOOKED_AT: RawBuilder<string | null> = sql`(select max(b.created_at) from kurbani_bookings b where ${CAME_OF_BOOKING})`

/**
 * The status of pre-bookings `b`: one that staff have neither matched nor closed is matched while a live order came of it. It is computed, so
 * that it is new or called again once that order has ended.
 */
export const BOOKING_STATE: RawBuilder<string> = sql`(case when b.state in ('new', 'called')
  and exists (select 1 from orders o where ${CAME_OF_BOOKING} and ${IS_LIVE}) then 'matched' else b.state end)`

/** Pre-bookings `b` that nobody has called and of which no live order came. The first condition uses the index. */
export const IS_NEW_BOOKING: RawBuilder<boolean> = sql`(b.state = 'new' and ${BOOKING_STATE} = 'new')`
