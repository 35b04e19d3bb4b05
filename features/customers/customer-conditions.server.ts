import { type RawBuilder, sql } from 'kysely'
import { IS_LIVE, OWES } from '#features/orders/status-conditions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { escapeLike } from '#lib/format/search-term.ts'
import { dhakaInstant } from '#lib/format/time.ts'
import type { CustomerFilter, CustomerSearch } from './list-query-rules.ts'

// The filters of the list of customers as SQL. A segment asks for an order of the customer, which the indexes `orders_customer_placed`,
// `orders_due`, `orders_area` and `order_lines_product` find.

export type Condition = RawBuilder<unknown>

/** The condition of the cursor on the id of a customer. */
export type BeyondCursor = (id: Condition) => Condition
const NO_CURSOR: BeyondCursor = () => sql`true`

/**
 * Customers of orders with an amount due, read from the index of these orders first. PostgreSQL takes them for a third of all orders, and as
 * a condition of each customer it reads the orders of one customer after the other until a page is full.
 */
const IS_DEBTOR = sql`u.id = any(array(select o.customer_id from orders o where ${OWES}))`

/**
 * The filter as a condition on `u`; null when no customer can match. Orders have the condition of the cursor too: where PostgreSQL merges them
 * with the customers, it would read them from the end of the list on. All orders of a customer who is quiet since a day are older than it.
 */
export async function customerCondition(db: Db, filter: CustomerFilter, beyond = NO_CURSOR): Promise<Condition | null> {
  const { search, isDisabled, categoryId, productId, areaId, quietSince, owes } = filter
  const found = search && (await searchCondition(db, search))
  if (search && !found) return null
  const quietStart = quietSince === null ? null : dhakaInstant(quietSince)
  const ofCustomer = sql`o.customer_id = u.id and ${beyond(sql`o.customer_id`)}`
  const isBought = sql`${ofCustomer} and ${IS_LIVE} and ${quietStart === null ? sql`true` : sql`o.placed_at < ${quietStart}`}`
  const conditions = [
    sql`u.role = 'customer' and u.merged_into is null and ${beyond(sql`u.id`)}`,
    ...(found ? [found] : []),
    ...(isDisabled ? [sql`u.disabled_at is not null`] : []),
    ...(categoryId === null ? [] : [await boughtOfCategory(db, categoryId, isBought)]),
    ...(productId === null
      ? []
      : [sql`exists (select 1 from orders o join order_lines l on l.order_id = o.id where ${isBought} and l.product_id = ${productId})`]),
    ...(areaId === null ? [] : [sql`exists (select 1 from orders o where ${isBought} and o.area_id = ${areaId})`]),
    ...(quietStart === null ? [] : [sql`not exists (select 1 from orders o where ${ofCustomer} and o.placed_at >= ${quietStart})`]),
    ...(owes ? [IS_DEBTOR] : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** Lines of orders up to which the buyers of a category are read from them. */
const MAX_LINES = 5000

/**
 * Buyers of a category. Those of a category with few order lines, such as animals, are read from these lines: customer by customer PostgreSQL
 * would read the lines of all orders until it has found a page of them. The ids stand between the two statements, because it takes the lines
 * of each product for as many.
 */
async function boughtOfCategory(db: Db, categoryId: number, isBought: Condition): Promise<Condition> {
  const { rows } = await sql<{ ids: number[] }>`select array(select l.order_id from products p join order_lines l on l.product_id = p.id
    where p.category_id = ${categoryId} limit ${MAX_LINES + 1}) as ids`.execute(db)
  const { ids } = rows[0]!
  return ids.length <= MAX_LINES
    ? sql`u.id = any(array(select o.customer_id from orders o where o.id = any(${ids}::bigint[]) and ${IS_LIVE}))`
    : sql`exists (select 1 from orders o join order_lines l on l.order_id = o.id join products p on p.id = l.product_id
        where ${isBought} and p.category_id = ${categoryId})`
}

/** The search as a condition on `u`; null when it cannot match. */
export async function searchCondition(db: Db, search: CustomerSearch): Promise<Condition | null> {
  switch (search.by) {
    case 'phone':
      return sql`u.id = (select coalesce(merged_into, id) from users where phone = ${search.phone})`
    case 'phone-start':
      return sql`u.phone between ${search.from} and ${search.to}`
    case 'number':
      return sql`u.id = (select coalesce(merged_into, id) from users where id = ${search.id})`
    case 'email':
      return sql`lower(u.email::text) like ${`${escapeLike(search.start)}%`}`
    case 'name':
      return nameCondition(db, search.text)
  }
}

/** Customers that are searched for a name before the index of names is used, and the matches that make the name a common one. */
const NAME_WINDOW = 3000
const COMMON = 25

/**
 * The customers whose names sound like these words; null without a sound. PostgreSQL takes each beginning of a word for the name of one in two
 * hundred, and reads all customers to fill a page with a rare one: those of a name that few of the newest have are read from the index of names.
 */
async function nameCondition(db: Db, text: string): Promise<Condition | null> {
  const { rows } = await sql<{ sounds: string }>`select phonetic_key(${text}) as sounds`.execute(db)
  const words = rows[0]?.sounds.split(' ').filter(Boolean) ?? []
  if (words.length === 0) return null
  const sounds = sql`${words.map((word) => `${word}:*`).join(' & ')}::tsquery`
  const newest = await sql`select 1 from (select name_phonetic_tsv from users order by id desc limit ${NAME_WINDOW}) u
    where name_phonetic_tsv @@ ${sounds} limit ${COMMON}`.execute(db)
  return newest.rows.length === COMMON
    ? sql`u.name_phonetic_tsv @@ ${sounds}`
    : sql`u.id = any(array(select k.id from users k where k.name_phonetic_tsv @@ ${sounds}))`
}
