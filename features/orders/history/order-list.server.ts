import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type KeysetPage, keysetPage, type KeysetCursor } from '#lib/db/keyset.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'
import { comesOn, lateOn, IS_EXPECTED } from '../delivery-dates.server.ts'
import { isLive, type OrderStatus } from '../rules.ts'
import type { OrderSource } from '../types.ts'
import { type OrderFilter, type OrderSearch, rareNames } from './list-query-rules.ts'

/** A row of the admin's order list; money in taka. */
export interface OrderRow {
  id: number
  status: OrderStatus
  source: OrderSource
  customer_id: number
  name: string
  phone: string
  area_name: string | null
  /** The total when ordered. */
  ordered: number
  /** The total charged, after weighings and returns; 0 for an ended order. `due` is this less the money received. */
  total: number
  due: number
  /** The date of the last delivery. */
  deliver_on: string
  /** The date of the first of two deliveries; null for one delivery. */
  first_delivery_on: string | null
  placed_at: string
  version: number
  needs_attention: string | null
  /** The name of the first line. `more_lines`: the number of further lines. */
  goods: string
  more_lines: number
}

export interface OrderList extends KeysetPage<OrderRow> {
  /** The number of orders, counted up to `MAX_COUNTED`; null for a search by name, which is not counted. */
  count: number | null
}

export const ORDERS_PAGE = 25
export const MAX_COUNTED = 1000
/** The number of orders that are scanned for a name before the name index is used. */
const NAME_WINDOW = 3000

/** A page of the filtered orders, newest first, and their number. */
export async function listOrders(db: Db, filter: OrderFilter, cursor: KeysetCursor, lang: Lang): Promise<OrderList> {
  const query = await conditionsOf(db, filter)
  if (query === null) return { ...keysetPage<OrderRow>([], { backward: false, from: null }, ORDERS_PAGE, () => []), count: 0 }
  const { conditions, names } = query
  const counted = names === null ? countOf(conditions) : sql`null::int`
  const ids = names === null ? pageIds(conditions, cursor) : await namedIds(db, conditions, names, cursor)
  const rows = await readPage(db, { ids, counted, cursor, lang })
  const page = keysetPage(rows, cursor, ORDERS_PAGE, (row) => [row.placed_micros, row.id])
  const count = names !== null ? null : (rows[0]?.count ?? (cursor.from ? await countOrders(db, conditions) : 0))
  return { ...page, rows: page.rows.map(({ placed_micros: _micros, count: _count, ...row }) => row), count }
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
export async function listOrderIds(db: Db, filter: OrderFilter, limit: number): Promise<number[]> {
  const query = await conditionsOf(db, filter)
  if (query === null || query.names !== null) return []
  const { rows } = await sql<{ id: number }>`select o.id from orders o where ${sql.join(query.conditions, sql` and `)}
    order by ${orderOf({ backward: false })} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The number of filtered orders, counted up to one more than `MAX_COUNTED`. */
export async function countFiltered(db: Db, filter: OrderFilter): Promise<number> {
  const query = await conditionsOf(db, filter)
  return query === null ? 0 : countOrders(db, query.conditions)
}

type Condition = ReturnType<typeof sql>

const orderOf = ({ backward }: Pick<KeysetCursor, 'backward'>) =>
  backward ? sql`o.placed_at asc, o.id asc` : sql`o.placed_at desc, o.id desc`

function beyond(cursor: KeysetCursor): Condition[] {
  const key = keyOf(cursor)
  if (!key) return []
  return [cursor.backward ? sql`(o.placed_at, o.id) > ${key}` : sql`(o.placed_at, o.id) < ${key}`]
}

/** The ids of the page, from an index alone. The caller then reads the rows of these ids. */
function pageIds(conditions: Condition[], cursor: KeysetCursor): Condition {
  return sql`select o.id from orders o where ${sql.join([...conditions, ...beyond(cursor)], sql` and `)}
    order by ${orderOf(cursor)} limit ${ORDERS_PAGE + 1}`
}

/**
 * The ids of a page of orders by name. A scan along the list finds common names quickly, the name index rare ones. PostgreSQL cannot
 * estimate which is faster, so a part of the list is scanned first.
 */
async function namedIds(db: Db, conditions: Condition[], names: string[], cursor: KeysetCursor): Promise<Condition> {
  const all = sql.join([...conditions, ...beyond(cursor)], sql` and `)
  const sounds = sql`${names.map((name) => `${name}:*`).join(' & ')}::tsquery`
  // The scan stops when the page is full.
  const { rows } = await sql<{ ids: number[]; is_complete: boolean }>`
    with found as materialized (select array(
      select w.id from (select o.id, o.placed_at, o.name_phonetic_tsv from orders o where ${all} order by ${orderOf(cursor)} limit ${NAME_WINDOW}) w
      where w.name_phonetic_tsv @@ ${sounds} limit ${ORDERS_PAGE + 1}) as ids)
    select ids, cardinality(ids) > ${ORDERS_PAGE} or not exists (select 1 from orders o where ${all} offset ${NAME_WINDOW - 1}) as is_complete from found`.execute(
    db,
  )
  const { ids, is_complete } = rows[0]!
  if (is_complete) return sql`select unnest(${ids}::bigint[])`
  const rare = names.length === 1 ? names : rareNames(names, await commonSounds(db))
  const indexed = sql`${rare.map((name) => `${name}:*`).join(' & ')}::tsquery`
  return sql`with m as materialized (select * from orders where name_phonetic_tsv @@ ${indexed})
    select o.id from m o where ${all} and o.name_phonetic_tsv @@ ${sounds} order by ${orderOf(cursor)} limit ${ORDERS_PAGE + 1}`
}

/** The share of orders that have each common sound, from the statistics of PostgreSQL; empty before the first ANALYZE. */
async function commonSounds(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ sound: string; share: number }>`
    select s.sound, s.share from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs::float8[]) as s (sound, share)
    where schemaname = current_schema() and tablename = 'orders' and attname = 'name_phonetic_tsv' and s.sound is not null`.execute(db)
  return new Map(rows.map(({ sound, share }) => [sound, share]))
}

interface PageOfRows {
  ids: Condition
  /** The number of orders, as a column of each row. */
  counted: Condition
  cursor: KeysetCursor
  lang: Lang
}

async function readPage(db: Db, { ids, counted, cursor, lang }: PageOfRows) {
  const { rows } = await sql<OrderRow & { placed_micros: number; count: number | null }>`
    select o.id, o.status, o.source, o.customer_id, o.name, o.phone, a.${sql.ref(lang === 'bn' ? 'name_bn' : 'name_en')} as area_name,
      o.total_poisha::float8 / 100 as ordered, (amount_due(o) + amount_received(o))::float8 / 100 as total, amount_due(o)::float8 / 100 as due, o.deliver_on, first_delivery_on(o), ${isoInstant(sql`o.placed_at`)} as placed_at, o.version, o.needs_attention,
      (extract(epoch from o.placed_at) * 1000000)::bigint as placed_micros, l.goods, l.more_lines, (${counted}) as count
    from orders o
    left join areas a on a.id = o.area_id
    left join lateral (
      select (array_agg(l.${sql.ref(lang === 'bn' ? 'name_bn' : 'name_en')} order by l.position))[1] as goods, (count(*) - 1)::int as more_lines
      from order_lines l where l.order_id = o.id) l on true
    where o.id = any(array(${ids}))
    order by ${orderOf(cursor)}`.execute(db)
  return rows
}

/** An instant as JSON has it: written by the database, a row of the list has no object of its own for it. */
const isoInstant = (of: Condition) => sql`to_char(${of} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The key of a row next to the page: microseconds of its ordering, and its number. */
function keyOf(place: KeysetCursor): Condition | null {
  const [micros, id] = (place.from ?? []).map(Number)
  if (micros === undefined || id === undefined || !Number.isSafeInteger(micros) || !Number.isSafeInteger(id)) return null
  return sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::bigint)`
}

function countOf(conditions: Condition[]): Condition {
  return sql`select count(*)::int from (select 1 from orders o where ${sql.join(conditions, sql` and `)} limit ${MAX_COUNTED + 1}) o`
}

/** Counts the orders of a page without rows, which has no column with the number. */
async function countOrders(db: Db, conditions: Condition[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (${countOf(conditions)}) as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Equal to the predicates of the partial indexes. */
const DUE_CONDITIONS: Record<'yes' | 'refund', Condition> = {
  yes: sql`o.ledger_balance_poisha < o.total_poisha and o.status not in ('cancelled', 'returned')`,
  refund: sql`amount_due(o) < 0`,
}

/** The condition of a filter; empty while the filter is not set. */
function where<Value>(value: Value | null | undefined | false, condition: (value: Value) => Condition): Condition[] {
  return value === null || value === undefined || value === false ? [] : [condition(value)]
}

/** The filters as conditions on `o`, and the names of the search; null when no order can match. */
async function conditionsOf(db: Db, filter: OrderFilter): Promise<{ conditions: Condition[]; names: string[] | null } | null> {
  if (filter.due === 'yes' && filter.status && !isLive(filter.status)) return null
  const found = filter.search && (await searchCondition(db, filter.search))
  if (filter.search && !found) return null
  const conditions = [
    sql`true`,
    ...where(found?.condition, (condition) => condition),
    ...where(filter.status, (status) => sql`o.status = ${status}`),
    ...where(filter.userId, (id) => sql`o.customer_id = ${id}`),
    ...where(filter.areaId, (id) => sql`o.area_id = ${id}`),
    ...where(filter.source, (source) => sql`o.source = ${source}`),
    ...where(filter.listOn, comesOn),
    ...where(filter.open, () => IS_EXPECTED),
    ...where(filter.lateOn, lateOn),
    ...where(filter.from, (day) => sql`o.placed_at >= ${dhakaInstant(day)}`),
    ...where(filter.to, (day) => sql`o.placed_at < ${dhakaInstant(addDays(day, 1))}`),
    ...where(filter.due, (due) => DUE_CONDITIONS[due]),
    ...where(filter.attention, () => sql`o.needs_attention is not null`),
  ]
  return { conditions, names: found?.names ?? null }
}

/** The condition or the names of a search; null when nothing can match. Tags come first, because they match exactly. */
async function searchCondition(db: Db, search: OrderSearch): Promise<{ condition?: Condition; names?: string[] } | null> {
  if (search.by === 'phone') return { condition: sql`o.phone between ${search.from} and ${search.to}` }
  const tagged = search.tag === null ? [] : await ordersWithTag(db, search.tag)
  if (search.by === 'number') return { condition: sql`o.id = any(${[search.id, ...tagged]}::bigint[])` }
  if (tagged.length > 0) return { condition: sql`o.id = any(${tagged}::bigint[])` }
  const { rows } = await sql<{ sounds: string }>`select phonetic_key(${search.text}) as sounds`.execute(db)
  // A single letter matches too many names, a digit none.
  const words = rows[0]?.sounds.split(' ').filter((word) => word.length > 1 && !/\d/.test(word)) ?? []
  return words.length === 0 ? null : { names: words }
}

async function ordersWithTag(db: Db, tag: string): Promise<number[]> {
  const lines = await db.selectFrom('order_lines').select('order_id').where('tag_number', '=', tag).limit(MAX_COUNTED).execute()
  return lines.map((line) => line.order_id)
}
