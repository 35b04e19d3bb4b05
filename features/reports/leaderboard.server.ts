import { type RawBuilder, sql } from 'kysely'
import { IS_HANDED_OVER } from '#features/orders/status-conditions.server.ts'
import type { CsvCell } from '#lib/csv/csv.server.ts'
import { readByCursor } from '#lib/db/cursor.server.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { isOnDays } from '#lib/db/dhaka-day.server.ts'
import { toMicros } from '#lib/db/keyset.server.ts'
import { type KeysetPage, keysetPage, type KeysetCursor } from '#lib/db/keyset.ts'
import { shownName } from '#lib/format/shown-name.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { dhakaDate } from '#lib/format/time.ts'
import type { LeaderboardQuery, SortColumn } from './leaderboard-rules.ts'

/** A customer with the totals of the period; money in taka. */
export interface LeaderboardRow {
  id: number
  name: string
  /** Has more than one delivered order in any period. */
  repeatCustomer?: true
  phone: string
  email: string
  total_spent: number
  orders_count: number
  /** The instant of the last order. */
  last_order_date: string | null
}

export const LEADERBOARD_PAGE = 50

interface Sums {
  id: number
  spent_poisha: number
  orders_count: number
  last_micros: number
}

const SUMS: Record<SortColumn, { value: RawBuilder<unknown>; name: keyof Sums }> = {
  total_spent: { value: sql`sum(o.spent_poisha)::bigint`, name: 'spent_poisha' },
  orders_count: { value: sql`count(*)`, name: 'orders_count' },
  last_order_date: { value: toMicros(sql`max(o.placed_at)`), name: 'last_micros' },
}

/** Whether rows are read in ascending order from this cursor. */
function isUpwards({ sortOrder }: LeaderboardQuery, cursor: KeysetCursor): boolean {
  return (sortOrder === 'asc') !== cursor.backward
}

const START: KeysetCursor = { backward: false, from: null }

/** The totals of each customer in the period that match the filters, after the cursor. */
function sumsOf(query: LeaderboardQuery, cursor = START): RawBuilder<unknown> {
  const { startDate, endDate, minSpent, maxSpent, sortColumn } = query
  const [value, id] = (cursor.from ?? []).map(Number)
  const isKey = value !== undefined && id !== undefined && Number.isSafeInteger(value) && Number.isSafeInteger(id)
  const having = [
    sql`true`,
    ...(minSpent === null ? [] : [sql`sum(o.spent_poisha) >= ${minSpent}::bigint`]),
    ...(maxSpent === null ? [] : [sql`sum(o.spent_poisha) <= ${maxSpent}::bigint`]),
    ...(isKey
      ? [sql`(${SUMS[sortColumn].value}, o.customer_id) ${isUpwards(query, cursor) ? sql`>` : sql`<`} (${value}::bigint, ${id}::bigint)`]
      : []),
  ]
  // These are the columns and conditions of the index orders_spent: an index-only scan. Sales without a phone belong to no customer.
  return sql`select o.customer_id as id, ${SUMS.total_spent.value} as spent_poisha, ${SUMS.orders_count.value} as orders_count,
      ${SUMS.last_order_date.value} as last_micros
    from orders o
    where ${IS_HANDED_OVER} and o.customer_id is distinct from (select w.id from users w where w.phone = '')
      and ${isOnDays(sql`o.placed_at`, startDate, endDate)}
    group by o.customer_id having ${sql.join(having, sql` and `)}`
}

/** `order by` of rows with sums. */
function inOrder(query: LeaderboardQuery, cursor = START): RawBuilder<unknown> {
  const direction = isUpwards(query, cursor) ? sql`asc` : sql`desc`
  return sql`order by s.${sql.ref(SUMS[query.sortColumn].name)} ${direction}, s.id ${direction}`
}

type Found = Sums & { name: string; phone: string; email: string; repeats: boolean }

/** One page of the leaderboard. Equal totals are ordered by customer id. */
export async function listLeaderboard(db: Db, query: LeaderboardQuery, cursor: KeysetCursor): Promise<KeysetPage<LeaderboardRow>> {
  const found = await inTransaction(db, async (tx) => {
    // Ten years are 200,000 totals: they fit into this memory without temporary files.
    await sql`set local work_mem = '64MB'`.execute(tx)
    const { rows } = await sql<Found>`
      with s as materialized (select s.* from (${sumsOf(query, cursor)}) s ${inOrder(query, cursor)} limit ${LEADERBOARD_PAGE + 1})
      select s.*, u.name, u.phone, coalesce(u.email, '') as email,
        s.orders_count > 1 or (select count(*) > 1 from (select 1 from orders o where o.customer_id = s.id
          and ${IS_HANDED_OVER} limit 2) two) as repeats
      from s join users u on u.id = s.id ${inOrder(query, cursor)}`.execute(tx)
    return rows
  })
  const page = keysetPage(found, cursor, LEADERBOARD_PAGE, (row) => [row[SUMS[query.sortColumn].name], row.id])
  return { ...page, rows: page.rows.map(asShown) }
}

function asShown({ id, name, phone, email, repeats, spent_poisha, orders_count, last_micros }: Found): LeaderboardRow {
  return {
    id,
    name,
    ...(repeats ? { repeatCustomer: true } : {}),
    phone,
    email,
    total_spent: spent_poisha / 100,
    orders_count,
    last_order_date: new Date(last_micros / 1000).toISOString(),
  }
}

/** The whole leaderboard for CSV, in batches: columns as on the page, days as YYYY-MM-DD. */
export async function* leaderboardCsv(db: Db, query: LeaderboardQuery, lang: Lang): AsyncGenerator<CsvCell[][]> {
  const all = sql<Sums & { name: string; phone: string; email: string }>`
    select s.*, u.name, u.phone, coalesce(u.email, '') as email from (${sumsOf(query)}) s join users u on u.id = s.id ${inOrder(query)}`
  for await (const piece of readByCursor(db, all)) yield piece.map((row) => fileRow(row, lang))
}

function fileRow(row: Sums & { name: string; phone: string; email: string }, lang: Lang): CsvCell[] {
  const lastOn = dhakaDate(new Date(row.last_micros / 1000))
  return [row.id, shownName(row.name, lang), row.phone, row.email, row.spent_poisha / 100, row.orders_count, lastOn]
}
