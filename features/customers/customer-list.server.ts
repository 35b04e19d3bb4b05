import { sql } from 'kysely'
import { IS_HANDED_OVER } from '#features/orders/status-conditions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { isAscending, type KeysetPage, keysetPage, type ListView, MAX_COUNTED } from '#lib/db/keyset.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { customerCondition, searchCondition } from './customer-conditions.server.ts'
import { type CustomerFilter, type CustomerSearch, type CustomerSort, isSegment } from './list-query-rules.ts'

/** A row of the admin's list; money in taka. */
export interface CustomerRow {
  id: number
  name: string
  phone: string
  email: string
  /** Can sign in; a guest has only ordered. */
  has_account: boolean
  is_disabled: boolean
  created_at: string
  spent: number
  orders_count: number
  last_order_at: string | null
}

export const CUSTOMERS_PAGE = 25

/** How a page of customers is read; newest first and 25 by default. */
export type CustomerView = ListView<CustomerSort>

/** A page of the list, with the number of customers that the filter finds, counted up to one more than `MAX_COUNTED`. */
export type CustomerList = KeysetPage<CustomerRow> & { count: number | null }

/** A page of the customers with its count; null without a segment, where it would count them all, and for a search. */
export async function listCounted(db: Db, filter: CustomerFilter, view: CustomerView): Promise<CustomerList> {
  const [page, count] = await Promise.all([listCustomers(db, filter, view), isSegment(filter) ? countCustomers(db, filter) : null])
  return { ...page, count }
}

async function countCustomers(db: Db, filter: CustomerFilter): Promise<number> {
  const condition = await customerCondition(db, filter)
  if (!condition) return 0
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from (select 1 from users u where ${condition} limit ${MAX_COUNTED + 1}) u`.execute(db)
  return rows[0]!.count
}

/** A page of the customers, in the order of the view. A search finds a merged customer as the one it was merged into. */
export async function listCustomers(db: Db, filter: CustomerFilter, view: CustomerView): Promise<KeysetPage<CustomerRow>> {
  const { sort = 'new', size = CUSTOMERS_PAGE } = view
  const from = view.from === null ? Number.NaN : Number(view.from[0])
  const hasCursor = Number.isSafeInteger(from)
  const isUp = isAscending(view)
  const past = isUp ? sql`>` : sql`<`
  const condition = await customerCondition(db, filter, hasCursor && sort === 'new' ? (id) => sql`${id} ${past} ${from}` : undefined)
  if (!condition) return { rows: [], prev: null, next: null }
  // The cursor has the id only: names can be long and contain any character.
  const isPastName = sql`(lower(u.name), u.id) ${past} (select lower(k.name), k.id from users k where k.id = ${from})`
  const conditions = [condition, ...(hasCursor && sort === 'name' ? [isPastName] : [])]
  const way = isUp ? sql`asc` : sql`desc`
  const order = sort === 'name' ? sql`lower(u.name) ${way}, u.id ${way}` : sql`u.id ${way}`
  const { rows } = await sql<WithDates<CustomerRow, 'last_order_at' | 'created_at'>>`
    select u.id, u.name, u.phone, coalesce(u.email, '') as email, u.password_hash is not null as has_account,
      u.disabled_at is not null as is_disabled, u.created_at, coalesce(o.spent, 0)::float8 / 100 as spent, o.orders_count, o.last_order_at
    from (select * from users u where ${sql.join(conditions, sql` and `)} order by ${order} limit ${size + 1}) u
    cross join lateral (
      select sum(o.spent_poisha) filter (where ${IS_HANDED_OVER}) as spent, count(*)::int as orders_count,
        max(o.placed_at) as last_order_at
      from orders o where o.customer_id = u.id) o
    order by ${order}`.execute(db)
  return keysetPage(rows.map(datesToText), view, size, (row) => [row.id])
}

/** The name of the product that a segment names, or null. */
export async function findProductName(db: Db, id: number, lang: Lang): Promise<string | null> {
  const { rows } = await sql<{
    name: string
  }>`select ${columnIn(lang, 'name')} as name from products where id = ${id}`.execute(db)
  return rows[0]?.name ?? null
}

/** The newest customers that match a search, at most `limit`; without their orders. */
export async function findCustomers(db: Db, search: CustomerSearch, limit: number): Promise<Pick<CustomerRow, 'id' | 'name' | 'phone'>[]> {
  const condition = await searchCondition(db, search)
  if (!condition) return []
  const { rows } = await sql<Pick<CustomerRow, 'id' | 'name' | 'phone'>>`select u.id, u.name, u.phone from users u
    where u.role = 'customer' and u.merged_into is null and ${condition} order by u.id desc limit ${limit}`.execute(db)
  return rows
}
