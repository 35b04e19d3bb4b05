// The delivery date of an order is `deliver_on`: the latest of its list day and of the delivery dates of its lines, maintained by the database
// (migration 0111). In two deliveries some goods come earlier, on `first_delivery_on`. `delivery-plan-rules.ts` computes the same for a cart.
import { type RawBuilder, sql } from 'kysely'

/** Orders `o` that are still to go out: they live and wait for no payment. */
export const STILL_TO_GO: RawBuilder<unknown> = sql`o.status in ('placed', 'processing', 'on_delivery') and o.expires_at is null`

/** Orders `o` of which something comes on a day: all of it, or one of two deliveries. */
export function comesOn(day: string): RawBuilder<unknown> {
  return sql`(o.deliver_on = ${day}::date or ${comesFirstOn(day)})`
}

/** Orders `o` whose first of two deliveries comes on a day. */
export function comesFirstOn(day: string): RawBuilder<unknown> {
  return sql`(o.deliveries = 2 and o.deliver_on > ${day}::date and o.list_on <= ${day}::date and first_delivery_on(o) = ${day}::date)`
}

/** Orders `o` that should have come before a day and have not. */
export function lateOn(day: string): RawBuilder<unknown> {
  return sql`${STILL_TO_GO} and o.deliver_on < ${day}::date`
}
