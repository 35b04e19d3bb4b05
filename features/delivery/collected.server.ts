import { type RawBuilder, sql } from 'kysely'
import { WEIGHED_POISHA } from '#features/orders/returns/sold-order.server.ts'
import type { Poisha } from '#lib/format/money.ts'

/** Which delivery of order `o` comes on a day: `only`, or the `first` or `last` of two. */
export const partOn = (day: string): RawBuilder<'only' | 'first' | 'last'> =>
  sql`case when first_delivery_on(o) is null then 'only' when first_delivery_on(o) = ${day}::date then 'first' else 'last' end`

/** Whether line `l` of order `o` comes with the first of two deliveries. */
const COMES_FIRST = sql`line_delivery_on(o, l.delivery_on) = first_delivery_on(o)`

/**
 * What the first of two deliveries of order `o` collects, in poisha: its products at their final weight, with their share of the discount on the
 * whole order, less the money received, at most the amount due. The last one collects the rest and the delivery charges, so that nobody pays for
 * products that have not come.
 */
const COLLECTED_FIRST: RawBuilder<Poisha> = sql`(least(greatest(0, amount_due(o)), greatest(0, (
    select coalesce(round((o.total_poisha - o.shipping_poisha) * sum(l.line_total_poisha - l.discount_poisha) filter (where ${COMES_FIRST})
        / nullif(sum(l.line_total_poisha - l.discount_poisha), 0)), 0) + coalesce(sum(${WEIGHED_POISHA}) filter (where ${COMES_FIRST}), 0)
    from order_lines l where l.order_id = o.id) - amount_received(o))))::bigint`

/**
 * What the delivery of a day collects of order `o`, in poisha: the amount due, shared by two deliveries while the first is ahead. A first
 * delivery before `today` has collected its part or left it to the last one.
 */
export const collectedOn = ({ day, today }: { day: string; today: string }): RawBuilder<Poisha> =>
  sql`case when first_delivery_on(o) = ${day}::date then ${COLLECTED_FIRST}
    when first_delivery_on(o) >= ${today}::date then greatest(0, amount_due(o)) - ${COLLECTED_FIRST}
    else greatest(0, amount_due(o)) end`
