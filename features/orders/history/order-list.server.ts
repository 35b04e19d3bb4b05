import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { toMicros } from '#lib/db/keyset.server.ts'
import { type KeysetPage, keysetPage, MAX_COUNTED } from '#lib/db/keyset.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import { formatQuantity } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { RETURNED_WORTH } from '../returns/sold-order.server.ts'
import type { OrderStatus } from '../rules.ts'
import type { OrderSource } from '../types.ts'
import type { Unit } from '#features/catalog/types.ts'
import { type OrderFilter, rareNames } from './list-query-rules.ts'
import { type Condition, conditionsOf, type OrderQuery } from './order-conditions.server.ts'
import { beyond, keysOf, NEWEST, orderOf, type OrderView, SHOWN_SUM, type SortKeys } from './order-sorts.server.ts'

/** A row of the admin's order list; money in taka. */
export interface OrderRow {
  id: number
  status: OrderStatus
  source: OrderSource
  customer_id: number
  name: string
  phone: string
  area_name: string | null
  is_collection: boolean
  /** The products were handed over at the counter: no delivery. */
  is_over_counter: boolean
  /** The total when ordered. */
  ordered: number
  /** The price after weighings and returns, without fees and write-offs; 0 for an ended order. */
  total: number
  due: number
  /** The value of returned products, fees retained, and what was written off. */
  returned: number
  fee: number
  written_off: number
  /** The date of the last delivery. */
  deliver_on: string
  /** The date of the first of two deliveries; null for one delivery. */
  first_delivery_on: string | null
  placed_at: string
  version: number
  needs_attention: string | null
  /** The name of the first line, with its quantity and the tag of its animal. `more_lines`: the number of further lines. */
  goods: string
  quantity_milli: number
  unit: Unit
  tag_number: string | null
  more_lines: number
  tags: string[]
}

export interface OrderList extends KeysetPage<OrderRow> {
  /** The number of orders, counted up to `MAX_COUNTED`; null for a search by name, which is not counted. */
  count: number | null
}

export const ORDERS_PAGE = 25
/** The number of orders that are scanned for a name before the name index is used, for each order of a page. */
const NAME_WINDOW = 120

/** A page of the filtered orders, in the order of the view, and their number. */
export async function listOrders(db: Db, filter: OrderFilter, view: OrderView, lang: Lang): Promise<OrderList> {
  const { size = ORDERS_PAGE } = view
  const query = await conditionsOf(db, filter)
  if (query === null) return { ...keysetPage<OrderRow>([], { backward: false, from: null }, size, () => []), count: 0 }
  const { conditions, names } = query
  const { isFew, found } = await findFew(db, query, filter, view)
  const counted = names !== null ? sql`null::int` : found === null ? countOf(conditions) : sql`${found}::int`
  const ids = names === null ? pageIds(conditions, view, isFew) : await namedIds(db, { conditions, names }, view, isFew)
  const rows = await readPage(db, { ids, counted, view, lang })
  const page = keysetPage(rows, view, size, keysOf(view))
  const count = names !== null ? null : (rows[0]?.count ?? (view.from ? await countOrders(db, conditions) : 0))
  return { ...page, rows: page.rows.map(({ placed_micros: _micros, sum_poisha: _sum, count: _count, ...row }) => row), count }
}

/**
 * Whether the filter finds few orders, which are sorted after they are read; and their number, when it was counted for that. PostgreSQL
 * multiplies the shares of a status, a source and an area, and takes orders that no source has in this status for many: along the index of
 * a total it reads all orders of the shop. A count reads the index of a filter. By time, each filter alone has an index.
 */
async function findFew(db: Db, { conditions, names }: OrderQuery, { userId, due }: OrderFilter, view: OrderView) {
  const { sort = 'placed' } = view
  if (names === null && (userId !== null || due !== null)) return { isFew: true, found: null }
  if (sort === 'placed' || conditions.length === 1) return { isFew: false, found: null }
  const found = await countOrders(db, conditions)
  return { isFew: found <= MAX_COUNTED, found }
}

/**
 * The rest of a customer's purchases. The leaderboard counts delivered and completed orders [C5], but the list filters by one status. For a
 * list of one, returns the number of the other; null for other lists, and for zero.
 */
export async function findOtherPurchases(
  db: Db,
  filter: OrderFilter,
): Promise<{ status: 'delivered' | 'completed'; count: number } | null> {
  if (!filter.userId || (filter.status !== 'delivered' && filter.status !== 'completed')) return null
  const status = filter.status === 'delivered' ? 'completed' : 'delivered'
  const query = await conditionsOf(db, { ...filter, status })
  const count = query === null || query.names !== null ? 0 : await countOrders(db, query.conditions)
  return count === 0 ? null : { status, count }
}

/** The ids of the first `limit` filtered orders, in the order of the list; empty for a search by name. */
export async function listOrderIds(db: Db, filter: OrderFilter, limit: number, view: OrderView = NEWEST): Promise<number[]> {
  const query = await conditionsOf(db, filter)
  if (query === null || query.names !== null) return []
  const { isFew } = await findFew(db, query, filter, view)
  const { rows } = await sql<{ id: number }>`select o.id from orders o where ${sql.join(query.conditions, sql` and `)}
    order by ${orderOf({ ...view, backward: false }, isFew)} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The number of filtered orders, counted up to one more than `MAX_COUNTED`. */
export async function countFiltered(db: Db, filter: OrderFilter): Promise<number> {
  const query = await conditionsOf(db, filter)
  return query === null ? 0 : countOrders(db, query.conditions)
}

/** The ids of the page, from an index alone. The caller then reads the rows of these ids. */
function pageIds(conditions: Condition[], view: OrderView, isFew: boolean): Condition {
  return sql`select o.id from orders o where ${sql.join([...conditions, ...beyond(view, isFew)], sql` and `)}
    order by ${orderOf(view, isFew)} limit ${(view.size ?? ORDERS_PAGE) + 1}`
}

type NamedQuery = OrderQuery & { names: string[] }

/**
 * The ids of a page of orders by name. A scan along the list finds common names quickly, the name index rare ones. PostgreSQL cannot
 * estimate which is faster, so a part of the list is scanned first.
 */
async function namedIds(db: Db, query: NamedQuery, view: OrderView, isFew: boolean): Promise<Condition> {
  const { conditions, names } = query
  const all = sql.join([...conditions, ...beyond(view, isFew)], sql` and `)
  const size = view.size ?? ORDERS_PAGE
  // That of a large page is large as well: a file would read all orders of a common name for each of its pages.
  const [limit, window] = [size + 1, size * NAME_WINDOW]
  const sounds = sql`${names.map((name) => `${name}:*`).join(' & ')}::tsquery`
  // The scan stops when the page is full.
  const { rows } = await sql<{ ids: number[]; is_complete: boolean }>`
    with found as materialized (select array(
      select w.id from (select o.id, o.name_phonetic_tsv from orders o where ${all} order by ${orderOf(view, isFew)} limit ${window}) w
      where w.name_phonetic_tsv @@ ${sounds} limit ${limit}) as ids)
    select ids, cardinality(ids) >= ${limit} or not exists (select 1 from orders o where ${all} offset ${window - 1}) as is_complete from found`.execute(
    db,
  )
  const { ids, is_complete } = rows[0]!
  if (is_complete) return sql`select unnest(${ids}::bigint[])`
  const rare = names.length === 1 ? names : rareNames(names, await commonSounds(db))
  const indexed = sql`${rare.map((name) => `${name}:*`).join(' & ')}::tsquery`
  return sql`with m as materialized (select * from orders where name_phonetic_tsv @@ ${indexed})
    select o.id from m o where ${all} and o.name_phonetic_tsv @@ ${sounds} order by ${orderOf(view, isFew)} limit ${limit}`
}

/** The share of orders that have each common sound, from the statistics of PostgreSQL; empty before the first ANALYZE. */
async function commonSounds(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ sound: string; share: number }>`
    select s.sound, s.share from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs::float8[]) as s (sound, share)
    where schemaname = current_schema() and tablename = 'orders' and attname = 'name_phonetic_tsv' and s.sound is not null`.execute(db)
  return new Map(rows.map(({ sound, share }) => [sound, share]))
}

/** All products of the orders as texts for a file, by order id: each with the tag of its animal or its quantity. */
export async function listOrderGoods(db: Db, orderIds: readonly number[], lang: Lang): Promise<Map<number, string>> {
  const { rows } = await sql<Pick<OrderRow, 'id' | 'goods' | 'quantity_milli' | 'unit' | 'tag_number'>>`
    select l.order_id as id, ${columnIn(lang, 'l.name')} as goods, l.quantity_milli, l.unit, l.tag_number
    from order_lines l where l.order_id = any(${orderIds}::bigint[]) order by l.order_id, l.position`.execute(db)
  const texts = new Map<number, string>()
  for (const { id, goods, quantity_milli, unit, tag_number } of rows) {
    const text = `${goods} ${tag_number ?? formatQuantity(quantity_milli, unit, lang)}`
    texts.set(id, texts.has(id) ? `${texts.get(id)}; ${text}` : text)
  }
  return texts
}

interface PageOfRows {
  ids: Condition
  /** The number of orders, as a column of each row. */
  counted: Condition
  view: OrderView
  lang: Lang
}

async function readPage(db: Db, { ids, counted, view, lang }: PageOfRows) {
  const { rows } = await sql<OrderRow & SortKeys & { count: number | null }>`
    select o.id, o.status, o.source, o.customer_id, o.name, o.phone, ${columnIn(lang, 'a.name')} as area_name, o.is_collection, is_over_counter(o),
      o.total_poisha::float8 / 100 as ordered, (amount_due(o) + amount_received(o) - o.fee_poisha + o.written_off_poisha)::float8 / 100 as total, amount_due(o)::float8 / 100 as due,
      ${RETURNED_WORTH}::float8 / 100 as returned, o.fee_poisha::float8 / 100 as fee, o.written_off_poisha::float8 / 100 as written_off, o.deliver_on, first_delivery_on(o), ${isoInstant(sql`o.placed_at`)} as placed_at, o.version, o.needs_attention,
      ${toMicros(sql`o.placed_at`)} as placed_micros, ${SHOWN_SUM} as sum_poisha, l.goods, l.quantity_milli, l.unit, l.tag_number, l.more_lines, array(select g.tag from order_tags g where g.order_id = o.id order by g.tag) as tags, (${counted}) as count
    from orders o
    left join areas a on a.id = o.area_id
    left join lateral (
      select ${columnIn(lang, 'l.name')} as goods, l.quantity_milli, l.unit, l.tag_number, (count(*) over () - 1)::int as more_lines
      from order_lines l where l.order_id = o.id order by l.position limit 1) l on true
    where o.id = any(array(${ids}))
    order by ${orderOf(view)}`.execute(db)
  return rows
}

/** An instant as JSON has it: written by the database, a row of the list has no object of its own for it. */
const isoInstant = (of: Condition) => sql`to_char(${of} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

function countOf(conditions: Condition[]): Condition {
  return sql`select count(*)::int from (select 1 from orders o where ${sql.join(conditions, sql` and `)} limit ${MAX_COUNTED + 1}) o`
}

/** Counts the orders of a page without rows, which has no column with the number. */
async function countOrders(db: Db, conditions: Condition[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (${countOf(conditions)}) as count`.execute(db)
  return rows[0]?.count ?? 0
}
