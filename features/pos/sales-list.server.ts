import { type RawBuilder, sql } from 'kysely'
import type { OrderStatus } from '#features/orders/rules.ts'
import type { Db } from '#lib/db/db.server.ts'
import { isOnDays } from '#lib/db/dhaka-day.server.ts'
import { type KeysetCursor, type KeysetPage, keysetPage } from '#lib/db/keyset.ts'
import { fromMicros, toMicros } from '#lib/db/keyset.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { addDays, dhakaDate, dhakaInstant } from '#lib/format/time.ts'
import { findSaleByReceipt } from './sale-queries.server.ts'
import type { PaymentMethod } from './rules.ts'
import type { SaleSearch, SumRange } from './sales-query-rules.ts'

export const SALES_PAGE = 30

/** A sale in the POS's list, or a return without a receipt; the total is taka. */
export interface SaleRow {
  /** The number of the order; of a return its own number, below zero. */
  id: number
  /** A return without a receipt: its total is below zero, and it has no order. Other returns are listed with their sale. */
  return_id: number | null
  status: OrderStatus
  name: string
  phone: string
  placed_at: string
  total: number
  cashier: string
  /** The methods it was paid or refunded with; `on_account`: a part is paid later. */
  methods: (PaymentMethod | 'exchange' | 'store_credit' | 'on_account')[]
  /** The name of the first line. `more_lines`: the number of further lines. */
  goods: string
  more_lines: number
}

/** Which sales are listed. A complete phone or number finds every sale of `days`. */
export interface SalesScope {
  /** Sales in this cashier's open shift, and in those of today; null: all sales of `day`. */
  cashierId: number | null
  day: string
  /** How many days back others' sales are found by phone or number; null: without limit. */
  days: number | null
  /** Only sales at this register; null: at all. */
  registerId: number | null
  now: Date
}

type Condition = RawBuilder<unknown>

/** POS sales and returns without a receipt, newest first. */
export async function listSales(
  db: Db,
  search: SaleSearch | null,
  scope: SalesScope,
  { cursor: requested, lang }: { cursor: KeysetCursor; lang: Lang },
): Promise<KeysetPage<SaleRow>> {
  const cursor = validCursor(requested)
  const condition = await conditionOf(db, search, scope)
  const atRegister = sql`(${scope.registerId}::bigint is null or h.register_id = ${scope.registerId})`
  const name = columnIn(lang, 'name')
  const { rows } = await sql<SaleRow & { placed_micros: number }>`
    (select o.id, null::bigint as return_id, o.status, o.name, o.phone, ${utc(sql`o.placed_at`)} as placed_at,
      o.total_poisha::float8 / 100 as total, u.name as cashier, ${toMicros(sql`o.placed_at`)} as placed_micros, l.goods, l.more_lines,
      array(select e.method from ledger_entries e where e.order_id = o.id and e.paid_with_order and e.kind = 'counter' order by e.id)
        || array(select 'on_account' from account_sales a where a.order_id = o.id) as methods
    from orders o join pos_sales s on s.order_id = o.id join pos_shifts h on h.id = s.shift_id join users u on u.id = h.cashier_id
    cross join lateral (select (array_agg(l.${name} order by l.position))[1] as goods, (count(*) - 1)::int as more_lines
      from order_lines l where l.order_id = o.id) l
    where o.source = 'pos' and ${condition} and ${atRegister} ${beyond(cursor, sql`(o.placed_at, o.id)`)}
    order by ${cursor.backward ? sql`o.placed_at, o.id` : sql`o.placed_at desc, o.id desc`} limit ${SALES_PAGE + 1})
    union all
    (select -r.id, r.id, 'returned', '', r.phone, ${utc(sql`r.at`)}, -r.refund_poisha::float8 / 100, u.name, ${toMicros(sql`r.at`)}, l.goods, l.more_lines,
      array(select e.method from ledger_entries e where e.return_id = r.id and e.kind = 'refund' order by e.id)
    from pos_returns r join pos_shifts h on h.id = r.shift_id join users u on u.id = h.cashier_id
    cross join lateral (select (array_agg(p.${name} order by p.id))[1] as goods, (count(*) - 1)::int as more_lines
      from pos_return_lines b join products p on p.id = b.product_id where b.return_id = r.id) l
    where r.order_id is null and ${returnCondition(search, scope)} and ${atRegister} ${beyond(cursor, sql`(r.at, -r.id)`)}
    order by ${cursor.backward ? sql`r.at, -r.id` : sql`r.at desc, -r.id desc`} limit ${SALES_PAGE + 1})
    order by ${cursor.backward ? sql`placed_micros, id` : sql`placed_micros desc, id desc`} limit ${SALES_PAGE + 1}`.execute(db)
  const page = keysetPage(rows, cursor, SALES_PAGE, (row) => [row.placed_micros, row.id])
  return { ...page, rows: page.rows.map(({ placed_micros: _micros, ...row }) => row) }
}

async function conditionOf(db: Db, search: SaleSearch | null, scope: SalesScope): Promise<Condition> {
  const listed = listedSales(scope)
  if (search === null) return listed
  switch (search.by) {
    case 'phone':
      return search.isComplete
        ? sql`(o.phone = ${search.from} and ${found(scope)})`
        : sql`(o.phone between ${search.from} and ${search.to} and ${listed})`
    case 'number':
      return oneOf(sql`o.id = ${search.id} and ${found(scope)}`, search.sum ? sql`${hasTotal(search.sum)} and ${listed}` : sql`false`)
    case 'sum':
      return sql`(${hasTotal(search.sum)} and ${listed})`
    case 'receipt':
      return sql`(o.id = ${await findSaleByReceipt(db, search.text)} and ${found(scope)})`
    case 'nothing':
      return sql`false`
  }
}

/** Sales of one condition or the other. A union, because PostgreSQL reads the whole table for an "or" over two indexes. */
const oneOf = (one: Condition, other: Condition): Condition =>
  sql`o.id in (select o.id from orders o where ${one} union all select o.id from orders o where o.source = 'pos' and ${other})`

const hasTotal = ({ from, to }: SumRange): Condition => sql`o.total_poisha between ${from} and ${to}`

/** Without a complete phone or number: a day of all registers, or the cashier's own sales of the open shift and of today. */
function listedSales({ cashierId, day, now }: SalesScope): Condition {
  if (cashierId === null) return isOnDays(sql`o.placed_at`, day)
  return sql`o.id in (select s.order_id from pos_shifts h join pos_sales s on s.shift_id = h.id
    where h.cashier_id = ${cashierId} and (h.closed_at is null or h.closed_at >= ${dhakaInstant(dhakaDate(now))}))`
}

/** With a complete phone or number: every sale, or those of the last days. */
function found({ days, now }: SalesScope, at: Condition = sql`o.placed_at`): Condition {
  return days === null ? sql`true` : sql`${at} >= ${dhakaInstant(addDays(dhakaDate(now), -days))}`
}

/** The same for a return without a receipt, which has a phone and a sum. */
function returnCondition(search: SaleSearch | null, scope: SalesScope): Condition {
  const { cashierId, day, now } = scope
  const listed =
    cashierId === null
      ? isOnDays(sql`r.at`, day)
      : sql`(h.cashier_id = ${cashierId} and (h.closed_at is null or h.closed_at >= ${dhakaInstant(dhakaDate(now))}))`
  if (search === null) return listed
  const hasSum = ({ from, to }: SumRange) => sql`(r.refund_poisha between ${from} and ${to} and ${listed})`
  switch (search.by) {
    case 'phone':
      return search.isComplete
        ? sql`(r.phone = ${search.from} and ${found(scope, sql`r.at`)})`
        : sql`(r.phone between ${search.from} and ${search.to} and ${listed})`
    case 'sum':
      return hasSum(search.sum)
    case 'number':
      return search.sum ? hasSum(search.sum) : sql`false`
    case 'receipt':
    case 'nothing':
      return sql`false`
  }
}

const utc = (at: Condition): Condition => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A cursor of other texts than a time and an id is the start of the list. */
function validCursor(cursor: KeysetCursor): KeysetCursor {
  return cursor.from?.every((part) => Number.isSafeInteger(Number(part))) === false ? { backward: false, from: null } : cursor
}

/** The part of the list after the cursor. */
function beyond({ from, backward }: KeysetCursor, row: Condition): Condition {
  if (from === null) return sql``
  const [placedMicros, id] = from.map(Number)
  const key = sql`(${fromMicros(sql`${placedMicros}`)}, ${id}::bigint)`
  return backward ? sql`and ${row} > ${key}` : sql`and ${row} < ${key}`
}
