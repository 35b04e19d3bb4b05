import { type RawBuilder, sql } from 'kysely'
import { WEIGHED_POISHA } from '#features/orders/returns/sold-order.server.ts'
import type { Poisha } from '#lib/format/money.ts'

/** Which delivery of order `o` comes on a day: `only`, or the `first` or `last` of two. */
export const partOn = (day: string): RawBuilder<'only' | 'first' | 'last'> =>
  sql`case when first_delivery_on(o) is null then 'only' when first_delivery_on(o) = ${day}::date then 'first' else 'last' end`

/** Whether line `l` of order `o` comes with the first of two deliveries. */
const COMES_FIRST = sql`line_delivery_on(o, l.delivery_on) = first_delivery_on(o)`

/** Products of order `o` after the discounts of their lines, in poisha. */
const LINE_TOTAL = sql`l.line_total_poisha - l.discount_poisha`

/**
 * What the first of two deliveries of order `o` collects, in poisha: its products at their final weight, less their share of the discount on the
 * whole order in whole taka, less the money received, at most the amount due. The last one collects the rest and the delivery charges, so that
 * nobody pays for products that have not come.
 */
const COLLECTED_FIRST: RawBuilder<Poisha> = sql`(least(greatest(0, amount_due(o)), greatest(0, (
    select coalesce(s.first - round((s.total - (o.total_poisha - o.shipping_poisha)) * s.first / nullif(s.total, 0) / 100) * 100, 0) + s.weighed
    from (select sum(${LINE_TOTAL}) as total, coalesce(sum(${LINE_TOTAL}) filter (where ${COMES_FIRST}), 0) as first,
        coalesce(sum(${WEIGHED_POISHA}) filter (where ${COMES_FIRST}), 0) as weighed
      from order_lines l where l.order_id = o.id) s) - amount_received(o))))::bigint`

/**
 * What the delivery of a day collects of order `o`, in poisha: the amount due, shared by two deliveries while the first is ahead. A first
 * delivery before `today` has collected its part or left it to the last one.
 */
export const collectedOn = ({ day, today }: { day: string; today: string }): RawBuilder<Poisha> =>
  sql`case when first_delivery_on(o) = ${day}::date then ${COLLECTED_FIRST}
    when first_delivery_on(o) >= ${today}::date then greatest(0, amount_due(o)) - ${COLLECTED_FIRST}
    else greatest(0, amount_due(o)) end`
