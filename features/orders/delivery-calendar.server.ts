import { sql } from 'kysely'
import type { SoldProductRow } from '#features/catalog/product-rows.server.ts'
import { DELIVERY_GROUPS, type DeliveryGroup } from '#features/catalog/types.ts'
import type { DeliveryCalendar } from '#features/pricing/delivery-day-rules.ts'
import { arrivalDate } from '#features/pricing/delivery-plan-rules.ts'
import type { Quote } from '#features/pricing/quote-rules.ts'
import type { Settings } from '#features/settings/settings.ts'
import type { Db } from '#lib/db/db.server.ts'
import { dhakaDate } from '#lib/format/time.ts'
import { listDate } from './list-date.ts'

/** The maximum number of orders with products of a group on a day. */
export interface DayCapacity {
  day: string
  group: DeliveryGroup
  max: number
}

/** The days of the shop from the list day on, and those that are full. Without a limit nothing is read. */
export async function readCalendar(db: Db, { delivery_days }: Settings, listOn: string): Promise<DeliveryCalendar> {
  const { ahead: daysAhead, closed_weekdays: closedWeekdays, capacity } = delivery_days
  const limited = DELIVERY_GROUPS.filter((group) => capacity[group] > 0)
  const calendar: DeliveryCalendar = { daysAhead, closedWeekdays, fullDays: Object.fromEntries(limited.map((group) => [group, []])) }
  if (limited.length === 0) return calendar
  const { rows } = await sql<{ group: DeliveryGroup; days: string[] }>`
    select delivery_group as group, json_agg(day order by day) as days from (
      select delivery_group, day from (
        select distinct o.id, c.delivery_group, line_delivery_on(o, l.delivery_on) as day
        from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id join categories c on c.id = p.category_id
        where o.deliver_on >= ${listOn}::date and takes_delivery_place(o)
      ) taken
      where delivery_group = any(${limited}::text[]) and day >= ${listOn}::date
      group by delivery_group, day
      having count(*) >= case delivery_group when 'cattle' then ${capacity.cattle}::int else ${capacity.produce}::int end
    ) filled group by delivery_group`.execute(db)
  return { ...calendar, fullDays: { ...calendar.fullDays, ...Object.fromEntries(rows.map(({ group, days }) => [group, days])) } }
}

/**
 * The same for shoppers, who are not offered an animal of Kurbani after the last day of the season until that day is over. From the cut-off
 * before it on the list day is a later one, and no day is left.
 */
export async function readShopperCalendar(db: Db, settings: Settings, now: Date): Promise<DeliveryCalendar> {
  const { deliveryTo } = settings.kurbani
  const calendar = await readCalendar(db, settings, listDate(now, settings.cutoff_hour))
  return deliveryTo < dhakaDate(now) ? calendar : { ...calendar, kurbaniUntil: deliveryTo }
}

/** The limits of the days on which an order is delivered, sorted as SQL `insert_order_within_capacity` locks them; none: no field. */
export function dayCapacity(quote: Quote, products: ReadonlyMap<number, SoldProductRow>, settings: Settings): { capacity?: DayCapacity[] } {
  if (quote.isCollection || quote.listOn === null || quote.deliverOn === null) return {}
  const { listOn, deliverOn, deliveries, split } = quote
  const found = new Map<string, DayCapacity>()
  for (const { productId } of quote.lines) {
    const product = products.get(productId)
    const max = product === undefined ? 0 : settings.delivery_days.capacity[product.delivery_group]
    if (product === undefined || max === 0) continue
    const day = arrivalDate(listOn, product.delivery_on, deliverOn, deliveries === 2 && split ? split.dates : null)
    found.set(`${day} ${product.delivery_group}`, { day, group: product.delivery_group, max })
  }
  return found.size === 0 ? {} : { capacity: [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one) }
}
