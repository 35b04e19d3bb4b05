// Defines the final weighing of a booked animal [W3], for the settlement, the work lists and the check at delivery.
//
// It concerns an order line with a frozen rate and weight. Its final weigh-in is the animal's latest weigh-in that was recorded after the
// order was placed and is dated inside the window. The window opens FINAL_WEIGHING_EARLY_DAYS before the prescribed day, which is the delivery
// date minus `categories.final_weighing_days`, and never closes. Without prescribed days every weigh-in since the order counts.
import { type RawBuilder, sql } from 'kysely'
import { RETURNED_MILLI } from '../returns/sold-order.server.ts'
import { dhakaDay } from '#lib/db/dhaka-day.server.ts'

/** Days before the prescribed day from which a weigh-in counts as final, and from which the animal is listed as due. */
const FINAL_WEIGHING_EARLY_DAYS = 2

/**
 * `missing`: no final weigh-in. `to-settle`: weighed, and the order does not have this weight yet. `settled`: the order has the weight; a later
 * weigh-in of another weight makes it `to-settle` again.
 */
export type FinalWeighingState = 'missing' | 'to-settle' | 'settled'

/** Lines `l` that are sold by live weight at a frozen rate, and whose animal did not come back. */
export const SOLD_BY_WEIGHT: RawBuilder<unknown> = sql`l.booked_rate_poisha > 0 and l.booked_grams > 0 and ${RETURNED_MILLI} = 0`

/**
 * Orders `o` that are of some statuses and have an animal at a frozen rate, from two indexes alone. The shop has sold many more animals than these orders
 * hold, and a join reads order and product of each.
 */
export const hasBookedAnimal = (ofStatus: RawBuilder<boolean>): RawBuilder<boolean> => sql`o.id = any(array(
  select order_id from order_lines where booked_rate_poisha is not null intersect select o.id from orders o where ${ofStatus}))`

/** The last day for the final weighing of a line, with the joins below; null without prescribed days. */
export const WEIGHING_DUE_ON: RawBuilder<string | null> = sql`(line_delivery_on(o, l.delivery_on) - c.final_weighing_days)`
/** The first day whose weigh-in counts as final, and on which the animal is listed as due. */
export const WEIGHING_COUNTS_FROM: RawBuilder<string | null> = sql`(${WEIGHING_DUE_ON} - ${sql.lit(FINAL_WEIGHING_EARLY_DAYS)})`

/** Joins for lines `l` of orders `o`: product `p`, category `c`, last settlement `s`, final weigh-in `w`. */
export const FINAL_WEIGHING: RawBuilder<unknown> = sql`
  join products p on p.id = l.product_id join categories c on c.id = p.category_id
  left join lateral (select weigh_in_id, new_grams from settlements where order_id = l.order_id and product_id = l.product_id
    order by at desc, weigh_in_id desc limit 1) s on true
  left join lateral (select id, grams, weighed_on, weighed_by, method, image_id from weigh_ins
    where product_id = l.product_id and created_at > o.placed_at and weighed_on >= greatest(${dhakaDay(sql`o.placed_at`)},
      ${WEIGHING_COUNTS_FROM})
    order by weighed_on desc, id desc limit 1) w on true`

/** The state of the final weighing, a `FinalWeighingState`. */
export const FINAL_WEIGHING_STATE: RawBuilder<FinalWeighingState> = sql`case
  when w.id is not null and (s.weigh_in_id is null or (s.weigh_in_id <> w.id and s.new_grams <> w.grams)) then 'to-settle'
  when s.weigh_in_id is not null then 'settled' else 'missing' end`
