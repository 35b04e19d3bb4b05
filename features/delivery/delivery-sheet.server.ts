import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { comesOn, IS_EXPECTED, IS_IN_REVIEW } from '../orders/delivery-dates.server.ts'
import { RETURNED_MILLI } from '../orders/returns/sold-order.server.ts'
import { collectedOn, partOn } from './collected.server.ts'
import type { SheetOrder } from './delivery-sheet-rules.ts'

/** More than a farm delivers on a day; a sheet of more orders is printed by area. */
export const MAX_SHEET_ORDERS = 500

/**
 * The deliveries of a day that customers expect, by area, collections last, and whether there are more than the sheet takes. Of two deliveries
 * only the products of that day, and what to collect for them; a first delivery before `today` has collected its part or left it. What came back of
 * an order on its way is left out. `areaId` null: all areas and collections.
 */
export async function listDeliverySheet(
  db: Db,
  { day, today, areaId, lang }: { day: string; today: string; areaId: number | null; lang: Lang },
): Promise<{ orders: SheetOrder[]; isCut: boolean }> {
  const { rows } = await sql<SheetOrder>`
    select o.id, o.status, o.name, o.phone, o.address, o.landmark, o.note, o.is_collection,
      case when not o.is_collection then a.id end as area_id, case when not o.is_collection then ${columnIn(lang, 'a.name')} end as area,
      (${collectedOn({ day, today })})::float8 / 100 as due,
      greatest(0, amount_due(o))::float8 / 100 as order_due,
      ${partOn(day)} as part,
      coalesce((select json_agg(json_build_object('product_id', l.product_id, 'name', ${columnIn(lang, 'l.name')}, 'tag', l.tag_number,
          'quantity_milli', l.quantity_milli - ${RETURNED_MILLI}, 'unit', l.unit) order by l.position)
        from order_lines l where l.order_id = o.id and line_delivery_on(o, l.delivery_on) = ${day}::date
          and l.quantity_milli > ${RETURNED_MILLI}), '[]') as lines
    from orders o left join areas a on a.id = o.area_id
    where ${comesOn(day)} and ${IS_EXPECTED} and not ${IS_IN_REVIEW} and (${areaId}::bigint is null or (o.area_id = ${areaId}::bigint and not o.is_collection))
    order by o.is_collection, ${columnIn(lang, 'a.name')} nulls last, a.id, o.id limit ${MAX_SHEET_ORDERS + 1}`.execute(db)
  return { orders: rows.slice(0, MAX_SHEET_ORDERS), isCut: rows.length > MAX_SHEET_ORDERS }
}
