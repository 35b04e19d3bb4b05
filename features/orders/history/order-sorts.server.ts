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
 * The columns of each order of the list, as in its index. The numbers of a customer's orders are sorted after the customer's index is read:
 * along all numbers of the shop, PostgreSQL looks for the orders of a former customer in vain.
 */
export function orderOf(view: OrderView, { userId = null }: { userId?: number | null } = {}): Condition {
  const isUp = isAscending(view)
  switch (view.sort) {
    case 'number':
      if (userId !== null) return isUp ? sql`o.id + 0 asc` : sql`o.id + 0 desc`
      return isUp ? sql`o.id asc` : sql`o.id desc`
    case 'day':
      return isUp ? sql`o.deliver_on asc, o.placed_at asc, o.id asc` : sql`o.deliver_on desc, o.placed_at desc, o.id desc`
    case 'sum':
      return isUp ? sql`${SHOWN_SUM} asc, o.id asc` : sql`${SHOWN_SUM} desc, o.id desc`
    default:
      return isUp ? sql`o.placed_at asc, o.id asc` : sql`o.placed_at desc, o.id desc`
  }
}

/** The orders beyond the cursor; all of them without one, and for one that is none of this order. */
export function beyond(view: OrderView): Condition[] {
  const { sort = 'placed', from } = view
  if (from?.length !== KEY_LENGTHS[sort]) return []
  const days = sort === 'day' ? from.slice(0, 1) : []
  const numbers = from.slice(days.length).map(Number)
  if (!days.every(isDay) || !numbers.every(Number.isSafeInteger)) return []
  const than = isAscending(view) ? sql`>` : sql`<`
  const [first, second] = numbers
  switch (sort) {
    case 'number':
      return [sql`o.id ${than} ${first}::bigint`]
    case 'day':
      return [sql`(o.deliver_on, o.placed_at, o.id) ${than} (${days[0]}::date, ${fromMicros(sql`${first}`)}, ${second}::bigint)`]
    case 'sum':
      return [sql`(${SHOWN_SUM}, o.id) ${than} (${first}::bigint, ${second}::bigint)`]
    case 'placed':
      return [sql`(o.placed_at, o.id) ${than} (${fromMicros(sql`${first}`)}, ${second}::bigint)`]
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
