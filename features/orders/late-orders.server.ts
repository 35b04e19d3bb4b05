import { type RawBuilder, sql } from 'kysely'

/**
 * Orders `o` that should have come before a day and have not: they live, wait for no payment, and both the day of their list and that of
 * their animals have passed. A cow that is booked weeks before its season is not late until then. The day of other goods says when they
 * can be had next, and excuses nothing.
 */
export function lateOn(day: string): RawBuilder<unknown> {
  // Asked order by order, of the few that live: as a join it would go through the lines of all orders there ever were.
  return sql`o.status in ('placed', 'processing', 'on_delivery') and o.list_on < ${day}::date and o.expires_at is null
    and coalesce((select max(p.delivery_on) from order_lines l join products p on p.id = l.product_id
      where l.order_id = o.id and p.is_unique), '-infinity') < ${day}::date`
}
