import { sql } from 'kysely'
import { placeholderNames } from '#features/auth/placeholder-names.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'

/** The customer of a phone number, for the form of a new order. */
export interface KnownCustomer {
  id: number
  name: string
  email: string
  orders_count: number
  last_order_at: string | null
  /** The account was disabled by staff. */
  is_closed: boolean
  /** Distinct delivery addresses: the saved ones, the default first, then those of the latest orders. */
  places: { address: string; landmark: string; area_id: number }[]
}

const MAX_PLACES = 4
/** How many of the latest orders are searched for addresses. */
const LATEST_ORDERS = 20

/**
 * The customer of a phone number (`01XXXXXXXXX`), or null. Staff are not found. The number of a merged customer finds the customer that it was
 * merged into.
 */
export async function findKnownCustomer(db: Db, phone: string): Promise<KnownCustomer | null> {
  const { rows } = await sql<WithDates<KnownCustomer, 'last_order_at'>>`
    with c as (select coalesce(m.id, u.id) as id, coalesce(m.name, u.name) as name, coalesce(m.email, u.email, '') as email,
        (case when m.id is null then u.disabled_at else m.disabled_at end) is not null as is_closed
      from users u left join users m on m.id = u.merged_into where u.phone = ${phone} and u.role = 'customer')
    select c.id, case when c.name = any(${placeholderNames()}::text[]) then '' else c.name end as name, c.email, c.is_closed,
      (select count(*)::int from orders where customer_id = c.id) as orders_count,
      (select max(placed_at) from orders where customer_id = c.id) as last_order_at,
      coalesce((select json_agg(json_build_object('address', p.address, 'landmark', p.landmark, 'area_id', p.area_id) order by p.at)
        from (${addressesOf()}) p), '[]') as places
    from c`.execute(db)
  return rows[0] ? datesToText(rows[0]) : null
}

/** The addresses of customer `c`, ordered by `at`. */
function addressesOf() {
  return sql`select address, min(landmark) as landmark, area_id, min(at) as at from (
      select address, landmark, area_id, case when is_default then 0 else 1 end * 1e12 + id as at from addresses where customer_id = c.id
      union all
      select address, landmark, area_id, 2e12 - id as at from (select id, address, landmark, area_id from orders
        where customer_id = c.id order by id desc limit ${LATEST_ORDERS}) latest where address <> '' and area_id is not null) places
    group by address, area_id order by min(at) limit ${MAX_PLACES}`
}
