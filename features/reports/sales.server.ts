import { sql } from 'kysely'
import { IS_ADJUSTMENT } from '#features/ledger/ledger.server.ts'
import type { Db } from '#lib/db/db.server.ts'
import { dhakaDay, isOnDays } from '#lib/db/dhaka-day.server.ts'
import { columnIn } from '#lib/db/column-in.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { MAX_BARS_OF_DAYS, type Period } from './period-rules.ts'
import type { Poisha } from '#lib/format/money.ts'

/** Totals of a period; money in poisha. */
export interface SalesTotals {
  orders: number
  total_poisha: Poisha
  discount_poisha: Poisha
  shipping_poisha: Poisha
  done_orders: number
  done_poisha: Poisha
  lost_orders: number
  lost_poisha: Poisha
  /** Returns without a receipt, already taken off the totals. Other returns lower the total of their order. */
  returned_poisha: Poisha
  /** Fees retained of refunds, and amounts due written off less overpayments retained, by the day of the entry. Not part of the sales. */
  fees_poisha: Poisha
  written_off_poisha: Poisha
}

/** The sales of one day, month, category or area. */
export interface SalesPart {
  /** Day YYYY-MM-DD, month YYYY-MM, or an id. */
  key: string
  name: string
  orders: number
  total_poisha: Poisha
}

/**
 * The totals of the days of a period, by area and source. A return without a receipt has no order, so it is a row of its own, below zero,
 * on the day of the return.
 */
const salesDays = ({ from, to }: Period) => sql`(
  select day, area_id, orders, total_poisha, discount_poisha, shipping_poisha, done_orders, done_poisha, lost_orders, lost_poisha, 0 as returned_poisha
    from sales_days where day between ${from}::date and ${to}::date
  union all
  select ${dhakaDay(sql`at`)}, 0, 0, -refund_poisha, 0, 0, 0, -refund_poisha, 0, 0, refund_poisha
    from pos_returns where order_id is null and ${isOnDays(sql`at`, from, to)})`

const inside = ({ from, to }: Period) => sql`day between ${from}::date and ${to}::date`

/** The totals of a period. */
export async function salesTotals(db: Db, period: Period): Promise<SalesTotals> {
  const sum = (column: string) => sql`coalesce(sum(${sql.ref(column)}), 0)::bigint as ${sql.ref(column)}`
  const columns = [
    'orders',
    'total_poisha',
    'discount_poisha',
    'shipping_poisha',
    'done_orders',
    'done_poisha',
    'lost_orders',
    'lost_poisha',
    'returned_poisha',
  ]
  const { rows } = await sql<SalesTotals>`select ${sql.join(columns.map(sum))}, a.fees_poisha, a.written_off_poisha
    from (select coalesce(-sum(amount_poisha) filter (where kind = 'fee'), 0)::bigint as fees_poisha,
        coalesce(sum(amount_poisha) filter (where kind = 'write_off'), 0)::bigint as written_off_poisha
      from ledger_entries where ${IS_ADJUSTMENT} and ${isOnDays(sql`at`, period.from, period.to)}) a left join ${salesDays(period)} d on true
    group by a.fees_poisha, a.written_off_poisha`.execute(db)
  return rows[0] as SalesTotals
}

/** The sales by day, or by month for a long period, including those without sales. */
export async function salesByDay(db: Db, period: Period): Promise<SalesPart[]> {
  const isMonths = period.days > MAX_BARS_OF_DAYS
  const [step, format] = isMonths ? (['month', 'YYYY-MM'] as const) : (['day', 'YYYY-MM-DD'] as const)
  const { rows } = await sql<SalesPart>`
    select to_char(g, ${format}) as key, to_char(g, ${format}) as name, coalesce(s.orders, 0)::int as orders, coalesce(s.total_poisha, 0)::bigint as total_poisha
    from generate_series(date_trunc(${step}, ${period.from}::date), ${period.to}::date, ${`1 ${step}`}::interval) g
    left join (select date_trunc(${step}, day) as at, sum(orders) as orders, sum(total_poisha) as total_poisha
      from ${salesDays(period)} d group by 1) s on s.at = g order by g`.execute(db)
  return rows
}

/**
 * The sales of a period by category, the highest first. Returns without a receipt lower them. A product counts for the category that it had at
 * the time; a category that was deleted since has no name.
 */
export async function salesByCategory(db: Db, period: Period, lang: Lang): Promise<SalesPart[]> {
  const { rows } = await sql<SalesPart>`
    select s.category_id::text as key, coalesce(${columnIn(lang, 'c.name')}, '') as name, sum(s.orders)::int as orders, sum(s.total_poisha)::bigint as total_poisha
    from (select category_id, orders, total_poisha from sales_day_categories where ${inside(period)}
      union all select category_at(p, r.at), 0, -l.goods_poisha from pos_returns r join pos_return_lines l on l.return_id = r.id join products p on p.id = l.product_id
        where r.order_id is null and ${isOnDays(sql`r.at`, period.from, period.to)}) s
      left join categories c on c.id = s.category_id
    group by 1, 2 order by 4 desc, 1`.execute(db)
  return rows
}

/** The sales of a period by area, the highest first; orders without an area have the key 0. */
export async function salesByArea(db: Db, period: Period, lang: Lang): Promise<SalesPart[]> {
  const { rows } = await sql<SalesPart>`
    select s.area_id::text as key, coalesce(${columnIn(lang, 'a.name')}, '') as name, sum(s.orders)::int as orders, sum(s.total_poisha)::bigint as total_poisha
    from ${salesDays(period)} s left join areas a on a.id = s.area_id
    group by 1, 2 having sum(s.orders) > 0 or sum(s.total_poisha) <> 0 order by 4 desc, 1`.execute(db)
  return rows
}

/** When the daily totals were last updated; null before the first run. */
export async function salesAsOf(db: Db): Promise<string | null> {
  const row = await db.selectFrom('sales_progress').select('refreshed_at').executeTakeFirst()
  return row?.refreshed_at?.toISOString() ?? null
}
