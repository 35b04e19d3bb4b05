import { sql } from 'kysely'
import type { Db } from '#lib/db/db.server.ts'
import { type KeysetPage, keysetPage, type Place } from '#lib/db/keyset.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { addDays, dhakaInstant } from '#lib/format/time.ts'
import { comesOn, lateOn, STILL_TO_GO } from '../delivery-dates.server.ts'
import { isLive, type OrderStatus } from '../rules.ts'
import type { OrderSource } from '../types.ts'
import { type OrderFilter, type OrderSearch, rareNames } from './list-query-rules.ts'

/** A row of the admin's list; money in taka. */
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
  /** The total charged after weighings and returns: none for an ended order. Less what was paid it is the amount due. */
  total: number
  due: number
  /** The date on which everything has come. */
  deliver_on: string
  /** The date of the first of two deliveries; null for one delivery. */
  first_delivery_on: string | null
  placed_at: string
  version: number
  needs_attention: string | null
  /** What is in it: the first line's name and how many more there are. */
  goods: string
  more_lines: number
}

export interface OrderList extends KeysetPage<OrderRow> {
  /** How many there are, counted up to `MAX_COUNTED`; null for a search by name, which is not counted. */
  count: number | null
}

export const ORDERS_PAGE = 25
export const MAX_COUNTED = 1000
/** So many orders are looked through for a name before the index of names is asked. */
const NAME_WINDOW = 3000

/** A page of the orders that all filters let through, newest first, and how many they are. */
export async function listOrders(db: Db, filter: OrderFilter, place: Place, lang: Lang): Promise<OrderList> {
  const wanted = await conditionsOf(db, filter)
  if (wanted === null) return { ...keysetPage<OrderRow>([], { backward: false, from: null }, ORDERS_PAGE, () => []), count: 0 }
  const { conditions, names } = wanted
  const counted = names === null ? countOf(conditions) : sql`null::int`
  const ids = names === null ? pageIds(conditions, place) : await namedIds(db, conditions, names, place)
  const rows = await readPage(db, { ids, counted, place, lang })
  const page = keysetPage(rows, place, ORDERS_PAGE, (row) => [row.placed_micros, row.id])
  const count = names !== null ? null : (rows[0]?.count ?? (place.from ? await countOrders(db, conditions) : 0))
  return { ...page, rows: page.rows.map(({ placed_micros: _micros, count: _count, ...row }) => row), count }
}

/**
 * The other half of a customer's purchases: a list of the delivered orders leaves out the completed ones (all sales of the POS), and the other
 * way round, while the leaderboard counts both [C5]. Null for other lists, and where there are none.
 */
export async function findOtherPurchases(
  db: Db,
  filter: OrderFilter,
): Promise<{ status: 'delivered' | 'completed'; count: number } | null> {
  if (!filter.userId || (filter.status !== 'delivered' && filter.status !== 'completed')) return null
  const status = filter.status === 'delivered' ? 'completed' : 'delivered'
  const wanted = await conditionsOf(db, { ...filter, status })
  const count = wanted === null || wanted.names !== null ? 0 : await countOrders(db, wanted.conditions)
  return count === 0 ? null : { status, count }
}

/** The numbers of the orders that all filters let through, in the list's order, as many as are printed at once; none for a search by name. */
export async function listOrderIds(db: Db, filter: OrderFilter, most: number): Promise<number[]> {
  const wanted = await conditionsOf(db, filter)
  if (wanted === null || wanted.names !== null) return []
  const { rows } = await sql<{ id: number }>`select o.id from orders o where ${sql.join(wanted.conditions, sql` and `)}
    order by ${orderOf({ backward: false })} limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The number of orders that all filters let through, counted up to one more than `MAX_COUNTED`. */
export async function countFiltered(db: Db, filter: OrderFilter): Promise<number> {
  const wanted = await conditionsOf(db, filter)
  return wanted === null ? 0 : countOrders(db, wanted.conditions)
}

type Condition = ReturnType<typeof sql>

const orderOf = ({ backward }: Pick<Place, 'backward'>) => (backward ? sql`o.placed_at asc, o.id asc` : sql`o.placed_at desc, o.id desc`)

function beyond(place: Place): Condition[] {
  const key = keyOf(place)
  if (!key) return []
  return [place.backward ? sql`(o.placed_at, o.id) > ${key}` : sql`(o.placed_at, o.id) < ${key}`]
}

/** The page is found in an index by itself; only its orders are then read whole. */
function pageIds(conditions: Condition[], place: Place): Condition {
  return sql`select o.id from orders o where ${sql.join([...conditions, ...beyond(place)], sql` and `)}
    order by ${orderOf(place)} limit ${ORDERS_PAGE + 1}`
}

/**
 * A common name is soon met along the list, a rare one is looked up in the index of names. The database cannot know which it is, so
 * a piece of the list is looked through first.
 */
async function namedIds(db: Db, conditions: Condition[], names: string[], place: Place): Promise<Condition> {
  const all = sql.join([...conditions, ...beyond(place)], sql` and `)
  const sounds = sql`${names.map((name) => `${name}:*`).join(' & ')}::tsquery`
  // Looks no further along the list than until the page is full.
  const { rows } = await sql<{ ids: number[]; isAll: boolean }>`
    with found as materialized (select array(
      select w.id from (select o.id, o.placed_at, o.name_phonetic_tsv from orders o where ${all} order by ${orderOf(place)} limit ${NAME_WINDOW}) w
      where w.name_phonetic_tsv @@ ${sounds} limit ${ORDERS_PAGE + 1}) as ids)
    select ids, cardinality(ids) > ${ORDERS_PAGE} or not exists (select 1 from orders o where ${all} offset ${NAME_WINDOW - 1}) as "isAll" from found`.execute(
    db,
  )
  const { ids, isAll } = rows[0]!
  if (isAll) return sql`select unnest(${ids}::bigint[])`
  const rare = names.length === 1 ? names : rareNames(names, await commonSounds(db))
  const indexed = sql`${rare.map((name) => `${name}:*`).join(' & ')}::tsquery`
  return sql`with m as materialized (select * from orders where name_phonetic_tsv @@ ${indexed})
    select o.id from m o where ${all} and o.name_phonetic_tsv @@ ${sounds} order by ${orderOf(place)} limit ${ORDERS_PAGE + 1}`
}

/** What part of all orders has each of the sounds that many have, as the database last counted; empty before it has. */
async function commonSounds(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ sound: string; part: number }>`
    select s.sound, s.part from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs::float8[]) as s (sound, part)
    where schemaname = current_schema() and tablename = 'orders' and attname = 'name_phonetic_tsv' and s.sound is not null`.execute(db)
  return new Map(rows.map(({ sound, part }) => [sound, part]))
}

interface PageOfRows {
  ids: Condition
  /** How many there are, to be read beside each row. */
  counted: Condition
  place: Place
  lang: Lang
}

async function readPage(db: Db, { ids, counted, place, lang }: PageOfRows) {
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
    order by ${orderOf(place)}`.execute(db)
  return rows
}

/** An instant as JSON has it: written by the database, a row of the list has no object of its own for it. */
const isoInstant = (of: Condition) => sql`to_char(${of} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The key of a row next to the page: microseconds of its ordering, and its number. */
function keyOf(place: Place): Condition | null {
  const [micros, id] = (place.from ?? []).map(Number)
  if (micros === undefined || id === undefined || !Number.isSafeInteger(micros) || !Number.isSafeInteger(id)) return null
  return sql`(timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::bigint)`
}

function countOf(conditions: Condition[]): Condition {
  return sql`select count(*)::int from (select 1 from orders o where ${sql.join(conditions, sql` and `)} limit ${MAX_COUNTED + 1}) o`
}

/** How many there are where the page itself has none to say it. */
async function countOrders(db: Db, conditions: Condition[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (${countOf(conditions)}) as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** The filters as conditions on `o`, and the names that are looked for besides; null when no order can pass them. */
async function conditionsOf(db: Db, filter: OrderFilter): Promise<{ conditions: Condition[]; names: string[] | null } | null> {
  if (filter.due === 'yes' && filter.status && !isLive(filter.status)) return null
  const found = filter.search && (await searchCondition(db, filter.search))
  if (filter.search && !found) return null
  const conditions = [
    sql`true`,
    ...(found?.condition ? [found.condition] : []),
    ...(filter.status ? [sql`o.status = ${filter.status}`] : []),
    ...(filter.userId ? [sql`o.customer_id = ${filter.userId}`] : []),
    ...(filter.areaId ? [sql`o.area_id = ${filter.areaId}`] : []),
    ...(filter.source ? [sql`o.source = ${filter.source}`] : []),
    ...(filter.listOn ? [comesOn(filter.listOn)] : []),
    ...(filter.open ? [STILL_TO_GO] : []),
    ...(filter.lateOn ? [lateOn(filter.lateOn)] : []),
    ...(filter.from ? [sql`o.placed_at >= ${dhakaInstant(filter.from)}`] : []),
    ...(filter.to ? [sql`o.placed_at < ${dhakaInstant(addDays(filter.to, 1))}`] : []),
    // Word for word what the partial indexes say.
    ...(filter.due === 'yes' ? [sql`o.ledger_balance_poisha < o.total_poisha and o.status not in ('cancelled', 'returned')`] : []),
    ...(filter.due === 'refund' ? [sql`amount_due(o) < 0`] : []),
    ...(filter.attention ? [sql`o.needs_attention is not null`] : []),
  ]
  return { conditions, names: found?.names ?? null }
}

/** What the search looks for: a condition, or names; null when nothing can be found. A tag is looked for first: it is exact. */
async function searchCondition(db: Db, search: OrderSearch): Promise<{ condition?: Condition; names?: string[] } | null> {
  if (search.by === 'phone') return { condition: sql`o.phone between ${search.from} and ${search.to}` }
  const tagged = search.tag === null ? [] : await ordersWithTag(db, search.tag)
  if (search.by === 'number') return { condition: sql`o.id = any(${[search.id, ...tagged]}::bigint[])` }
  if (tagged.length > 0) return { condition: sql`o.id = any(${tagged}::bigint[])` }
  const { rows } = await sql<{ sounds: string }>`select phonetic_key(${search.text}) as sounds`.execute(db)
  // One letter begins half of all names, and a figure none.
  const words = rows[0]?.sounds.split(' ').filter((word) => word.length > 1 && !/\d/.test(word)) ?? []
  return words.length === 0 ? null : { names: words }
}

async function ordersWithTag(db: Db, tag: string): Promise<number[]> {
  const { rows } = await sql<{
    order_id: number
  }>`select order_id from order_lines where tag_number = ${tag} limit ${MAX_COUNTED}`.execute(db)
  return rows.map((row) => row.order_id)
}
