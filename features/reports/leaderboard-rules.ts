// The leaderboard: who has bought for how much.
//
// It counts delivered and completed orders of all ways to buy, less what was given back, by the day in Dhaka on which they were placed, one
// row a customer. Without a first day it is the month until today; the most spent stands first. What makes no sense falls back to that.
import { parseAmount, type Poisha } from '#lib/format/money.ts'
import { addMonths, isDay } from '#lib/format/time.ts'

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

type Asked = Record<string, string | undefined>

const FIRST = '2000-01-01'
const LAST = '2100-01-01'

/** What an address of the leaderboard asks for. */
export function readLeaderboardQuery(query: Asked, today: string): LeaderboardQuery {
  const usual = { startDate: addMonths(today, -1), endDate: today }
  const startDate = readDay(query.start_date) ?? usual.startDate
  const endDate = readDay(query.end_date) ?? today
  const [minSpent, maxSpent] = [readSum(query.min_spent), readSum(query.max_spent)]
  const crossed = minSpent !== null && maxSpent !== null && minSpent > maxSpent
  return {
    ...(startDate <= endDate ? { startDate, endDate } : usual),
    ...(crossed ? { minSpent: null, maxSpent: null } : { minSpent, maxSpent }),
    sortColumn: SORT_COLUMNS.find((column) => column === query.sort_column) ?? 'total_spent',
    sortOrder: query.sort_order === 'asc' ? 'asc' : 'desc',
  }
}

/** The address with its period and order filled in, for one that has no first day; null when it has one. */
export function completeAddress(query: Asked, today: string): string | null {
  if (query.start_date) return null
  const { sortColumn, sortOrder } = readLeaderboardQuery(query, today)
  const filled = { start_date: addMonths(today, -1), end_date: today, sort_column: sortColumn, sort_order: sortOrder }
  const kept = ['min_spent', 'max_spent', 'download'].flatMap((name): [string, string][] => (query[name] ? [[name, query[name]]] : []))
  return `/admin/leaderboard?${new URLSearchParams([...Object.entries(filled), ...kept]).toString()}`
}

/** A day within what the shop can have seen: earlier and later ones are its first and last. */
function readDay(text: string | undefined): string | null {
  if (text === undefined || !isDay(text)) return null
  if (text < FIRST) return FIRST
  return text > LAST ? LAST : text
}

function readSum(text: string | undefined): Poisha | null {
  const amount = text === undefined || text.length > 30 ? null : parseAmount(text)
  return amount !== null && amount >= 0 ? amount : null
}
