import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { translate } from '#lib/i18n/translate.ts'

/** Whom the shop knows by a phone, as somebody who writes an order down wants it. */
export interface KnownCustomer {
  id: number
  name: string
  email: string
  orders_count: number
  last_order_at: string | null
  /** Closed by the staff. */
  is_closed: boolean
  /** Where it was brought before: what the customer keeps, the default first, then the latest orders, each place once. */
  places: { address: string; landmark: string; area_id: number }[]
}

const MAX_PLACES = 4
/** So many orders are looked through for other places. */
const LATEST = 20

/** What stands for the name of somebody who said none at the till. */
export const walkInNames = () => [translate('en')('pos.walk-in'), translate('bn')('pos.walk-in')]

/** The customer of a phone (as kept), or null: the farm's own people are nobody's customers here. A merged number leads to the one that was kept. */
export async function findKnownCustomer(db: Db, phone: string): Promise<KnownCustomer | null> {
  const { rows } = await sql<WithDates<KnownCustomer, 'last_order_at'>>`
    with c as (select coalesce(k.id, u.id) as id, coalesce(k.name, u.name) as name, coalesce(k.email, u.email, '') as email,
        (case when k.id is null then u.disabled_at else k.disabled_at end) is not null as is_closed
      from users u left join users k on k.id = u.merged_into where u.phone = ${phone} and u.role = 'customer')
    select c.id, case when c.name = any(${walkInNames()}::text[]) then '' else c.name end as name, c.email, c.is_closed,
      (select count(*)::int from orders where customer_id = c.id) as orders_count,
      (select max(placed_at) from orders where customer_id = c.id) as last_order_at,
      coalesce((select json_agg(json_build_object('address', p.address, 'landmark', p.landmark, 'area_id', p.area_id) order by p.at)
        from (${placesOf()}) p), '[]') as places
    from c`.execute(db)
  return rows[0] ? datesToText(rows[0]) : null
}

/** Places of customer `c`; `at` puts them in order. */
function placesOf() {
  return sql`select address, min(landmark) as landmark, area_id, min(at) as at from (
      select address, landmark, area_id, case when is_default then 0 else 1 end * 1e12 + id as at from addresses where customer_id = c.id
      union all
      select address, landmark, area_id, 2e12 - id as at from (select id, address, landmark, area_id from orders
        where customer_id = c.id order by id desc limit ${LATEST}) latest where address <> '' and area_id is not null) places
    group by address, area_id order by min(at) limit ${MAX_PLACES}`
}
