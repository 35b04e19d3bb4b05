// The leaderboard: the customers by the amount that they spent in a period.
//
// It counts delivered and completed orders of all channels, less refunds, by the day in Dhaka on which they were placed. The default is the
// month until today, sorted by amount. Invalid values become defaults.
import { parseAmount, type Poisha } from '#lib/format/money.ts'
import { addMonths, isDay } from '#lib/format/time.ts'
import { FIRST_DAY } from './limits.ts'

export const SORT_COLUMNS = ['total_spent', 'orders_count', 'last_order_date'] as const
export type SortColumn = (typeof SORT_COLUMNS)[number]

export interface LeaderboardQuery {
  /** Days in Dhaka, both included. */
  startDate: string
  endDate: string
  minSpent: Poisha | null
  maxSpent: Poisha | null
  sortColumn: SortColumn
  sortOrder: 'asc' | 'desc'
}

type UrlQuery = Record<string, string | undefined>

const LAST = '2100-01-01'

/** Parses the query of the leaderboard. */
export function readLeaderboardQuery(query: UrlQuery, today: string): LeaderboardQuery {
  const defaultPeriod = { startDate: addMonths(today, -1), endDate: today }
  const startDate = readDay(query.start_date) ?? defaultPeriod.startDate
  const endDate = readDay(query.end_date) ?? today
  const [minSpent, maxSpent] = [readSum(query.min_spent), readSum(query.max_spent)]
  const crossed = minSpent !== null && maxSpent !== null && minSpent > maxSpent
  return {
    ...(startDate <= endDate ? { startDate, endDate } : defaultPeriod),
    ...(crossed ? { minSpent: null, maxSpent: null } : { minSpent, maxSpent }),
    sortColumn: SORT_COLUMNS.find((column) => column === query.sort_column) ?? 'total_spent',
    sortOrder: query.sort_order === 'asc' ? 'asc' : 'desc',
  }
}

/** The URL with period and order filled in when it has no first day; null when it has one. */
export function completePath(query: UrlQuery, today: string): string | null {
  if (query.start_date) return null
  const { sortColumn, sortOrder } = readLeaderboardQuery(query, today)
  const filled = { start_date: addMonths(today, -1), end_date: today, sort_column: sortColumn, sort_order: sortOrder }
  const others = ['min_spent', 'max_spent', 'download'].flatMap((name): [string, string][] => (query[name] ? [[name, query[name]]] : []))
  return `/admin/leaderboard?${new URLSearchParams([...Object.entries(filled), ...others]).toString()}`
}

/** Parses a day and limits it to the years 2000 to 2100. */
function readDay(text: string | undefined): string | null {
  if (text === undefined || !isDay(text)) return null
  if (text < FIRST_DAY) return FIRST_DAY
  return text > LAST ? LAST : text
}

function readSum(text: string | undefined): Poisha | null {
  const amount = text === undefined || text.length > 30 ? null : parseAmount(text)
  return amount !== null && amount >= 0 ? amount : null
}
