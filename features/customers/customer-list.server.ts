import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type KeysetPage, keysetPage, type KeysetCursor } from '#lib/db/keyset.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import type { CustomerFilter, CustomerSearch } from './list-query-rules.ts'

/** A row of the admin's list; money in taka. */
export interface CustomerRow {
  id: number
  name: string
  phone: string
  email: string
  /** Can sign in; a guest has only ordered. */
  has_account: boolean
  is_disabled: boolean
  spent: number
  orders_count: number
  last_order_at: string | null
}

export const CUSTOMERS_PAGE = 25

/** A page of the customers, newest first. A search finds a merged customer as the one it was merged into. */
export async function listCustomers(db: Db, { search, isDisabled }: CustomerFilter, place: KeysetCursor): Promise<KeysetPage<CustomerRow>> {
  const found = search && (await searchCondition(db, search))
  if (search && !found) return { rows: [], prev: null, next: null }
  const from = place.from === null ? Number.NaN : Number(place.from[0])
  const conditions = [
    sql`u.role = 'customer' and u.merged_into is null`,
    ...(found ? [found] : []),
    ...(isDisabled ? [sql`u.disabled_at is not null`] : []),
    ...(Number.isSafeInteger(from) ? [place.backward ? sql`u.id > ${from}` : sql`u.id < ${from}`] : []),
  ]
  const way = place.backward ? sql`asc` : sql`desc`
  const { rows } = await sql<WithDates<CustomerRow, 'last_order_at'>>`
    select u.id, u.name, u.phone, coalesce(u.email, '') as email, u.password_hash is not null as has_account,
      u.disabled_at is not null as is_disabled, coalesce(o.spent, 0)::float8 / 100 as spent, o.orders_count, o.last_order_at
    from (select * from users u where ${sql.join(conditions, sql` and `)} order by u.id ${way} limit ${CUSTOMERS_PAGE + 1}) u
    cross join lateral (
      select sum(o.spent_poisha) filter (where o.status in ('delivered', 'completed')) as spent, count(*)::int as orders_count,
        max(o.placed_at) as last_order_at
      from orders o where o.customer_id = u.id) o
    order by u.id ${way}`.execute(db)
  return keysetPage(rows.map(datesToText), place, CUSTOMERS_PAGE, (row) => [row.id])
}

/** The newest customers that match a search, at most `limit`; without their orders. */
export async function findCustomers(db: Db, search: CustomerSearch, limit: number): Promise<Pick<CustomerRow, 'id' | 'name' | 'phone'>[]> {
  const condition = await searchCondition(db, search)
  if (!condition) return []
  const { rows } = await sql<Pick<CustomerRow, 'id' | 'name' | 'phone'>>`select u.id, u.name, u.phone from users u
    where u.role = 'customer' and u.merged_into is null and ${condition} order by u.id desc limit ${limit}`.execute(db)
  return rows
}

/** The search as a condition on `u`; null when it cannot match. */
async function searchCondition(db: Db, search: CustomerSearch): Promise<RawBuilder<unknown> | null> {
  switch (search.by) {
    case 'phone':
      return sql`u.id = (select coalesce(merged_into, id) from users where phone = ${search.phone})`
    case 'phone-start':
      return sql`u.phone between ${search.from} and ${search.to}`
    case 'number':
      return sql`u.id = (select coalesce(merged_into, id) from users where id = ${search.id})`
    case 'email':
      return sql`lower(u.email::text) like ${`${search.start.replace(/[\\%_]/g, '\\$&')}%`}`
    case 'name': {
      const { rows } = await sql<{ sounds: string }>`select phonetic_key(${search.text}) as sounds`.execute(db)
      const words = rows[0]?.sounds.split(' ').filter(Boolean) ?? []
      return words.length === 0 ? null : sql`u.name_phonetic_tsv @@ ${words.map((word) => `${word}:*`).join(' & ')}::tsquery`
    }
  }
}
