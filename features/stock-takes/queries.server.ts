import { type RawBuilder, sql } from 'kysely'
import { IS_ORDERABLE } from '#features/catalog/orderable.server.ts'
import type { Unit } from '#features/catalog/types.ts'
import { mayBePartlyDelivered } from '#features/orders/delivery-dates.server.ts'
import { RETURNED_MILLI } from '#features/orders/returns/sold-order.server.ts'
import { IS_OPEN, IS_TO_SEND } from '#features/orders/status-conditions.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { numericCursor } from '#lib/db/keyset.server.ts'
import { type KeysetCursor, type KeysetPage, keysetPage } from '#lib/db/keyset.ts'
import { datesToText, type WithDates } from '#lib/db/rows.ts'
import { DHAKA_TODAY } from '#lib/db/dhaka-day.server.ts'
import { likePattern, searchWords } from '#lib/format/search-term.ts'
import { MAX_OPEN, type TakeList, type TakeReason, type TakeState } from './rules.ts'
import type { Poisha } from '#lib/format/money.ts'

/** A sheet. Names of the category are null for a sheet of the whole shop. */
export interface Take {
  id: number
  state: TakeState
  category_en: string | null
  category_bn: string | null
  note: string
  started_by: string
  started_at: string
  ended_by: string | null
  ended_at: string | null
  /** Of a closed sheet: the value of its differences. */
  difference_poisha: Poisha | null
}

/** A sheet in the list. */
export interface ListedTake extends Take {
  lines: number
  differences: number
}

export const TAKES_PAGE = 25

const takeColumns = sql`t.id, t.state, t.category_en, t.category_bn, t.note, s.name as started_by, t.started_at, e.name as ended_by, t.ended_at,
  t.difference_poisha`

/** One page of all sheets, the newest first. */
export async function listTakes(db: Db, cursor: KeysetCursor): Promise<KeysetPage<ListedTake>> {
  const { beyond, direction } = numericCursor(sql`id`, cursor)
  const { rows } = await sql<WithDates<ListedTake, 'started_at' | 'ended_at'>>`
    select ${takeColumns}, coalesce(t.lines, (select count(*)::int from stock_take_lines l where l.take_id = t.id)) as lines,
      coalesce(t.differences,
        (select count(*)::int from stock_take_lines l where l.take_id = t.id and l.counted_milli <> l.expected_milli)) as differences
    from (select * from stock_takes where ${beyond} order by id ${direction} limit ${TAKES_PAGE + 1}) t
    join users s on s.id = t.started_by left join users e on e.id = t.ended_by order by t.id ${direction}`.execute(db)
  return keysetPage(rows.map(datesToText), cursor, TAKES_PAGE, (row) => [row.id])
}

export async function findTake(db: Db, id: number): Promise<Take | null> {
  const { rows } = await sql<WithDates<Take, 'started_at' | 'ended_at'>>`
    select ${takeColumns} from stock_takes t join users s on s.id = t.started_by left join users e on e.id = t.ended_by
    where t.id = ${id}`.execute(db)
  return rows[0] ? datesToText(rows[0]) : null
}

/** What a product was counted as. */
export interface TakeLine {
  expected_milli: number
  counted_milli: number
  reason: TakeReason
  by: string
  at: string
  version: number
}

/** A product of a sheet; `line` is null until it is counted. */
export interface TakeRow {
  id: number
  name_en: string
  name_bn: string
  tag_number: string | null
  barcode: string | null
  unit: Unit
  is_unique: boolean
  price_poisha: Poisha
  /** The stock for sale now; of an animal whether it should be on the farm. Null: no longer counted. */
  stock_milli: number | null
  /** What orders have reserved that has not left the farm: it is expected beside the stock. */
  ordered_milli: number
  line: TakeLine | null
}

/**
 * Whether a line `l` of an order `o` is still on the farm. An order to collect waits there in the status `on_delivery`. An order
 * with two deliveries stays in processing until the second one is sent: the products of the first one count as gone from its day on.
 */
const isOnFarm = sql`${IS_OPEN} and (${IS_TO_SEND} or o.is_collection)
  and (${mayBePartlyDelivered(DHAKA_TODAY)} and line_delivery_on(o, l.delivery_on) = first_delivery_on(o)) is not true`

/** The order that an animal `p` belongs to and with which it has not left the farm. */
export const waitingOrder = sql`(select h.order_id from animal_holds h join orders o on o.id = h.order_id
  join order_lines l on l.order_id = h.order_id and l.product_id = h.product_id where h.product_id = p.id and ${isOnFarm})`

const onFarmLines = sql`order_lines l join orders o on o.id = l.order_id and ${isOnFarm}`

/** What line `l` still has on the farm: products that came back from an order to collect are stock again, or spoiled. */
const waitingMilli = sql`(l.quantity_milli - case when ${IS_TO_SEND} then 0 else ${RETURNED_MILLI} end)`

/** `ordered`: the quantities of these products in orders that have not left the farm. They are no stock for sale, but still there. */
export const orderedOf = (isProduct: RawBuilder<unknown>) => sql`ordered as materialized (
  select l.product_id, sum(${waitingMilli})::bigint as milli from ${onFarmLines} where l.product_id ${isProduct} group by l.product_id)`

/** Whether an animal `p` is for sale, or on hold for another reason than an order. */
export const isUnordered = sql`(${IS_ORDERABLE} or p.status = 'hold' and p.hold_reason is distinct from 'booked')`

const stockMilli = sql`(case when not p.is_unique then p.stock_milli::bigint
  when ${isUnordered} or ${waitingOrder} is not null then 1000 else 0 end)`

const orderedMilli = sql`(case when p.is_unique then 0 else coalesce(q.milli, 0) end)`

/** The quantity of `p` that should be there, with `ordered` joined as `q`. An animal is there until it was handed over or written off. */
export const expectedMilli = sql`(${stockMilli} + ${orderedMilli})`

/** Products that orders have and that have not left the farm. */
const orderedProducts = sql`select l.product_id from ${onFarmLines} where ${waitingMilli} > 0`

/** Whether any of `p` should be there, as `expectedMilli`, with `ordered` of all products. */
const isExpected = sql`(${stockMilli} > 0 or not p.is_unique and p.stock_milli is not null and p.id in (select product_id from ordered where milli > 0))`

/** Whether a product `p` belongs to the sheet `t`. */
export const isInScope = sql`(t.category_en is null or p.category_id = t.category_id
  or exists (select 1 from product_categories c where c.product_id = p.id and c.category_id = t.category_id))`

interface Found extends Omit<TakeRow, 'line'> {
  expected_milli: number | null
  counted_milli: number | null
  reason: TakeReason | null
  by: string | null
  at: Date | null
  version: number | null
}

/** A product that is counted. */
interface FoundLine extends Found {
  reason: TakeReason
  by: string
  at: Date
  version: number
}

const rowColumns = sql`p.id, p.name_en, p.name_bn, p.tag_number, p.barcode, p.unit, p.is_unique, coalesce(l.price_poisha, p.price_poisha)::bigint as price_poisha,
  ${stockMilli} as stock_milli, ${orderedMilli} as ordered_milli, l.expected_milli::bigint as expected_milli, l.counted_milli::bigint as counted_milli, l.reason, u.name as by, l.counted_at as at, l.version`

function toRow({ expected_milli, counted_milli, reason, by, at, version, ...product }: Found): TakeRow {
  if (expected_milli === null || counted_milli === null || reason === null || by === null || at === null || version === null)
    return { ...product, line: null }
  return { ...product, line: { expected_milli, counted_milli, reason, by, at: at.toISOString(), version } }
}

/** Products of a sheet with their lines. */
export async function findRows(db: Db, takeId: number, productIds: readonly number[]): Promise<TakeRow[]> {
  const { rows } = await sql<Found>`
    with ${orderedOf(sql`= any(${productIds}::bigint[])`)} select ${rowColumns} from products p
    left join stock_take_lines l on l.product_id = p.id and l.take_id = ${takeId}
    left join users u on u.id = l.counted_by left join ordered q on q.product_id = p.id
    where p.id = any(${productIds}::bigint[]) order by p.id`.execute(db)
  return rows.map(toRow)
}

export const ROWS_PAGE = 50

interface RowsOptions {
  list: TakeList
  /** The normalized term of a search. */
  search?: string | null
  size?: number
  /** Without the orders `ordered_milli` is 0: a file of all lines has no use for it. */
  readsOrders?: boolean
}

/** One page of a list of the sheet: counted and different lines by the time of the count, the latest first; open products by number. */
export function listRows(
  db: Db,
  takeId: number,
  { list, search = null, size = ROWS_PAGE, readsOrders = true }: RowsOptions,
  cursor: KeysetCursor,
): Promise<KeysetPage<TakeRow>> {
  const words = search === null ? [] : searchWords(search).map((word) => sql`p.search_text like ${likePattern(word)}`)
  if (list === 'open') return listOpen(db, takeId, words, { ...cursor, size })
  const different = list === 'different' ? [sql`l.counted_milli <> l.expected_milli`] : []
  return listLines(db, takeId, [...different, ...words], { ...cursor, size, readsOrders })
}

type SizedCursor = KeysetCursor & { size: number }

/** The parts of the cursor of a list. */
export const rowKeys = (list: TakeList) => (list === 'open' ? 1 : 2)

async function listOpen(
  db: Db,
  takeId: number,
  words: RawBuilder<unknown>[],
  { size, ...cursor }: SizedCursor,
): Promise<KeysetPage<TakeRow>> {
  const { beyond, direction } = numericCursor(sql`p.id`, { ...cursor, order: 'asc' })
  const where = sql.join([isOpen, ...words, beyond], sql` and `)
  const { rows } = await sql<Found>`
    with ${orderedOf(sql`is not null`)}, page as materialized (select p.id from stock_takes t cross join products p
      where t.id = ${takeId} and ${where} order by p.id ${direction} limit ${size + 1})
    select ${rowColumns} from page join products p using (id) left join stock_take_lines l on l.product_id = p.id and l.take_id = ${takeId}
    left join users u on u.id = l.counted_by left join ordered q on q.product_id = p.id order by p.id ${direction}`.execute(db)
  return keysetPage(rows.map(toRow), cursor, size, (row) => [row.id])
}

/** Products that may be counted on the sheet `t`. */
const isOnSheet = sql`p.archived_at is null and ${isInScope}`

/** Those that are not counted yet. */
const isUncounted = sql`${isOnSheet}
  and not exists (select 1 from stock_take_lines c where c.take_id = t.id and c.product_id = p.id)`

/** Products that should be counted on the sheet `t` and are not yet. Products out of stock need not be counted. */
const isOpen = sql`${isUncounted} and ${isExpected}`

async function listLines(
  db: Db,
  takeId: number,
  conditions: RawBuilder<unknown>[],
  { size, readsOrders, ...cursor }: SizedCursor & { readsOrders: boolean },
): Promise<KeysetPage<TakeRow>> {
  const [at, id] = (cursor.from ?? []).map(Number)
  // PostgreSQL has no time that is as far back as the lowest number.
  const hasCursor = Number.isSafeInteger(at) && Number.isSafeInteger(id) && at! >= 0
  const past = hasCursor
    ? [sql`(l.counted_at, l.product_id) ${cursor.backward ? sql`>` : sql`<`} (to_timestamp(${at}::bigint / 1000.0), ${id}::bigint)`]
    : []
  const direction = cursor.backward ? sql`asc` : sql`desc`
  const where = sql.join([sql`l.take_id = ${takeId}`, ...conditions, ...past], sql` and `)
  const { rows } = await sql<FoundLine>`
    with page as materialized (select l.* from stock_take_lines l join products p on p.id = l.product_id
      where ${where} order by l.counted_at ${direction}, l.product_id ${direction} limit ${size + 1}), ${orderedOf(readsOrders ? sql`in (select product_id from page)` : sql`= 0`)}
    select ${rowColumns} from page l join products p on p.id = l.product_id join users u on u.id = l.counted_by
    left join ordered q on q.product_id = p.id order by l.counted_at ${direction}, l.product_id ${direction}`.execute(db)
  return keysetPage(rows.map(toRow), cursor, size, (row) => [new Date(row.line!.at).getTime(), row.id])
}

/** What a sheet holds now. */
export interface TakeSummary {
  counted: number
  /** Products that are not counted yet, at most `MAX_OPEN` + 1. */
  open: number
  different: number
  /** The differences without the animals that were found again, or that were missing and have left since. */
  applied: number
  /** The value of missing and of surplus stock, at the price; the first is zero or negative. Of `applied` alone. */
  missing_poisha: Poisha
  surplus_poisha: Poisha
  /** Names these lines as they are counted. Closing compares it. */
  revision: string
}

/** Whether closing leaves line `l` to the product page: an animal `p` that was found again. */
const isFoundAnimal = sql`p.is_unique and l.counted_milli > l.expected_milli`

/** Whether line `l` misses an animal `p` that has left with an order or was written off since its count. */
export const isGoneAnimal = sql`(p.is_unique and l.counted_milli < l.expected_milli and not ${isUnordered} and ${waitingOrder} is null)`

/** The value of the difference that closing applies. */
export const lineValue = sql`case when ${isFoundAnimal} then 0
  else round((l.counted_milli - l.expected_milli)::numeric * coalesce(l.price_poisha, p.price_poisha) / 1000) end`

/** Whether a product `p` with stock may be counted on the sheet `t`. */
const isStocked = sql`${isOnSheet} and ${stockMilli} > 0`

/** The products without stock for sale that orders have, and that are not counted yet. */
const countOrderedOnly = (takeId: number) => sql`(select count(*)::int from (select distinct product_id as id from (${orderedProducts}) l) q
  join products p using (id) cross join stock_takes t where t.id = ${takeId} and not p.is_unique and p.stock_milli <= 0 and ${isUncounted})`

/**
 * The number of open products of a sheet with these lines: none of a sheet that has ended. Those with stock are all with stock less the counted
 * ones, so that no line is looked up by its product. Orders are read only when few products are left.
 */
const countOpen = (takeId: number) => sql`(select case when t.state <> 'open' then 0 when s.open > ${MAX_OPEN} then ${MAX_OPEN + 1}
    else least(s.open + ${countOrderedOnly(takeId)}, ${MAX_OPEN + 1}) end
  from stock_takes t cross join lateral (select count(*)::int - lines.stocked as open from (select 1 from products p
    where t.state = 'open' and ${isStocked} limit lines.counted + ${MAX_OPEN + 1}) o) s where t.id = ${takeId})`

/** The totals of a sheet. `open` is counted while the sheet is open. */
export async function summarize(db: Db, takeId: number, { countsOpen = true } = {}): Promise<TakeSummary> {
  const open = countsOpen ? countOpen(takeId) : sql.lit(0)
  const stocked = countsOpen ? sql`(count(*) filter (where t.state = 'open' and ${isStocked}))::int` : sql.lit(0)
  const { rows } = await sql<TakeSummary>`
    select counted, different, applied, missing_poisha, surplus_poisha, revision, ${open} as open from (
      select count(*)::int as counted, (count(*) filter (where l.counted_milli <> l.expected_milli))::int as different,
        (count(*) filter (where l.counted_milli <> l.expected_milli and not (${isFoundAnimal}) and not gone))::int as applied,
        coalesce(sum(${lineValue}) filter (where l.counted_milli < l.expected_milli and not gone), 0)::bigint as missing_poisha,
        coalesce(sum(${lineValue}) filter (where l.counted_milli > l.expected_milli), 0)::bigint as surplus_poisha,
        md5(coalesce(string_agg(concat_ws(':', l.product_id, l.version), ',' order by l.product_id), '')) as revision,
        ${stocked} as stocked
      from stock_take_lines l join stock_takes t on t.id = l.take_id join products p on p.id = l.product_id
        cross join lateral (select t.state = 'open' and ${isGoneAnimal} as gone offset 0) g
      where l.take_id = ${takeId}) lines`.execute(db)
  return rows[0]!
}
