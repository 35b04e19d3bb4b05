// SQL conditions on delivery dates. Column `deliver_on` is the later of the list day and the last delivery date of the lines; triggers
// maintain it. With two deliveries the first one comes on `first_delivery_on`. `delivery-plan-rules.ts` computes the same for a cart.
import { type RawBuilder, sql } from 'kysely'
import { isInKeyedCategory } from '#features/catalog/keyed-category.server.ts'
import { IS_OPEN } from './status-conditions.server.ts'

/** Orders `o` that are expected, as in `isExpected`. */
export const IS_EXPECTED: RawBuilder<unknown> = sql`${IS_OPEN} and o.expires_at is null`

/** Placed orders `o` with nothing paid but a payment in review: no day is promised to the customer until staff decide. */
export const IS_IN_REVIEW: RawBuilder<boolean> = sql`(o.status = 'placed' and amount_received(o) <= 0
  and exists (select 1 from payment_attempts a where a.order_id = o.id and a.state = 'review'))`

/** Orders `o` with a delivery on a day: the only one, or one of two. Sales over the counter have none. */
export function comesOn(day: string): RawBuilder<unknown> {
  return comesOnDate(sql`${day}::date`)
}

/** As `comesOn`, for a day that SQL computes. */
export function comesOnDate(day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`((o.deliver_on = ${day} or ${comesFirstOn(day)}) and not is_over_counter(o))`
}

/** Orders `o` whose first of two deliveries is on a day. */
function comesFirstOn(day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(o.deliveries = 2 and o.deliver_on > ${day} and o.list_on <= ${day} and first_delivery_on(o) = ${day})`
}

/** Orders `o` of which a first delivery may have been made. As `mayBePartlyDelivered`; `today`: the day in Dhaka. */
export function mayBePartlyDelivered(today: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(o.status = 'processing' and o.deliveries = 2 and first_delivery_on(o) <= ${today}::date)`
}

/** Expected orders `o` whose delivery date is before a day. */
export function lateOn(day: string): RawBuilder<unknown> {
  return sql`${IS_EXPECTED} and o.deliver_on < ${day}::date`
}

/** Expected orders `o` with an animal of Kurbani that comes after a day. */
export function kurbaniAfter(day: string): RawBuilder<unknown> {
  return sql`${IS_EXPECTED} and o.deliver_on > ${day}::date and exists (select 1 from order_lines l join products p on p.id = l.product_id
    where l.order_id = o.id and p.is_unique and ${isInKeyedCategory('kurbani')} and line_delivery_on(o, l.delivery_on) > ${day}::date)`
}
