import { sql } from 'kysely'
import { fromMicros } from '#lib/db/keyset.server.ts'
import { isAscending, type ListView } from '#lib/db/keyset.ts'
import { isDay } from '#lib/format/time.ts'
import { IS_ENDED } from '../status-conditions.server.ts'
import type { OrderSort } from './list-query-rules.ts'
import type { Condition } from './order-conditions.server.ts'

// The orders of the order list as SQL, and their cursors.

/** How a page of orders is read; newest first and 25 by default. */
export type OrderView = ListView<OrderSort>

export const NEWEST: OrderView = { backward: false, from: null }

/** The total that the list shows, as in the index `orders_sum`: the price after weighings and returns, and of an ended order what was ordered. */
export const SHOWN_SUM = sql`case when ${IS_ENDED} then o.total_poisha::bigint else o.total_poisha + o.settlement_poisha end`

/**
 * The first column of a sort. Few orders are sorted after the index of their filter is read: `+ 0` is in no index. Along all orders of the
 * shop, PostgreSQL looks for the few of them in vain.
 */
const FIRST = { number: sql`o.id`, day: sql`o.deliver_on`, sum: SHOWN_SUM }
const FIRST_OF_FEW = { number: sql`o.id + 0`, day: sql`o.deliver_on + 0`, sum: sql`(${SHOWN_SUM}) + 0` }
const firstColumns = (isFew: boolean) => (isFew ? FIRST_OF_FEW : FIRST)

/** The columns of each order of the list, as in its index unless the filter finds few orders. */
export function orderOf(view: OrderView, isFew = false): Condition {
  const first = firstColumns(isFew)
  const way = isAscending(view) ? sql`asc` : sql`desc`
  switch (view.sort) {
    case 'number':
      return sql`${first.number} ${way}`
    case 'day':
      return sql`${first.day} ${way}, o.placed_at ${way}, o.id ${way}`
    case 'sum':
      return sql`${first.sum} ${way}, o.id ${way}`
    default:
      return sql`o.placed_at ${way}, o.id ${way}`
  }
}

/** The orders beyond the cursor; all of them without one, and for one that is none of this order. */
export function beyond(view: OrderView, isFew = false): Condition[] {
  const { sort = 'placed', from } = view
  if (from?.length !== KEY_LENGTHS[sort]) return []
  const days = sort === 'day' ? from.slice(0, 1) : []
  const numbers = from.slice(days.length).map(Number)
  if (!days.every(isDay) || !numbers.every(Number.isSafeInteger)) return []
  const than = isAscending(view) ? sql`>` : sql`<`
  const first = firstColumns(isFew)
  const [one, two] = numbers
  switch (sort) {
    case 'number':
      return [sql`${first.number} ${than} ${one}::bigint`]
    case 'day':
      return [sql`(${first.day}, o.placed_at, o.id) ${than} (${days[0]}::date, ${fromMicros(sql`${one}`)}, ${two}::bigint)`]
    case 'sum':
      return [sql`(${first.sum}, o.id) ${than} (${one}::bigint, ${two}::bigint)`]
    case 'placed':
      return [sql`(o.placed_at, o.id) ${than} (${fromMicros(sql`${one}`)}, ${two}::bigint)`]
  }
}

/** The parts of a cursor. */
const KEY_LENGTHS: Record<OrderSort, number> = { placed: 2, number: 1, day: 3, sum: 2 }

/** What the cursor is made of, beside the columns of the list. */
export interface SortKeys {
  placed_micros: number
  sum_poisha: number
}

/** The parts of a row's cursor, as `beyond` reads them. */
export function keysOf({ sort = 'placed' }: OrderView): (row: { id: number; deliver_on: string } & SortKeys) => (string | number)[] {
  switch (sort) {
    case 'placed':
      return (row) => [row.placed_micros, row.id]
    case 'number':
      return (row) => [row.id]
    case 'day':
      return (row) => [row.deliver_on, row.placed_micros, row.id]
    case 'sum':
      return (row) => [row.sum_poisha, row.id]
  }
}
