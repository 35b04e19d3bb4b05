// SQL conditions on delivery dates. Column `deliver_on` is the later of the list day and the last delivery date of the lines; triggers
// maintain it. With two deliveries the first one comes on `first_delivery_on`. `delivery-plan-rules.ts` computes the same for a cart.
import { type RawBuilder, sql } from 'kysely'
import { OPEN_STATUSES } from './rules.ts'

/** Orders `o` that are expected, as in `isExpected`. */
export const IS_EXPECTED: RawBuilder<unknown> = sql`o.status in (${sql.join(OPEN_STATUSES.map((status) => sql.lit(status)))}) and o.expires_at is null`

/** Orders `o` with a delivery on a day: the only one, or one of two. */
export function comesOn(day: string): RawBuilder<unknown> {
  return sql`(o.deliver_on = ${day}::date or ${comesFirstOn(day)})`
}

/** Orders `o` whose first of two deliveries is on a day. */
export function comesFirstOn(day: string): RawBuilder<unknown> {
  return sql`(o.deliveries = 2 and o.deliver_on > ${day}::date and o.list_on <= ${day}::date and first_delivery_on(o) = ${day}::date)`
}

/** Expected orders `o` whose delivery date is before a day. */
export function lateOn(day: string): RawBuilder<unknown> {
  return sql`${IS_EXPECTED} and o.deliver_on < ${day}::date`
}
