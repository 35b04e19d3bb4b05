import { type RawBuilder, sql } from 'kysely'

/**
 * Orders `o` that should have come before a day and have not: they live, wait for no payment, and both the day of their list and that of
 * their goods have passed. A cow that is booked weeks before its season is not late until then.
 */
export function lateOn(day: string): RawBuilder<unknown> {
  return sql`o.status in ('placed', 'processing', 'on_delivery') and o.list_on < ${day}::date and o.expires_at is null
    and not exists (select 1 from order_lines l join products p on p.id = l.product_id where l.order_id = o.id and p.delivery_on >= ${day}::date)`
}
