// The period of a report.
//
// The default is the 30 days until today. Any first and last day can be chosen, up to ten years. The period is compared with as many days
// before it. Invalid values become the default.
import { daysBetween, addDays, isDay } from '#lib/format/time.ts'
import { FIRST_DAY } from './limits.ts'

export interface Period {
  /** Days in Dhaka, both included. */
  from: string
  to: string
  days: number
}

const DEFAULT_DAYS = 30
const MAX_DAYS = 3660
/** The limit where the sums are made from the entries themselves. */
export const MAX_DAYS_OF_ENTRIES = 92

/** Parses `from` and `to` of a URL; a period of more than `maxDays` becomes the default. */
export function readPeriod(query: Record<string, string | undefined>, today: string, maxDays = MAX_DAYS): Period {
  const to = query.to !== undefined && isDay(query.to) && query.to >= FIRST_DAY && query.to <= addDays(today, 366) ? query.to : today
  const from = query.from !== undefined && isDay(query.from) && query.from >= FIRST_DAY ? query.from : addDays(to, 1 - DEFAULT_DAYS)
  const days = daysBetween(from, to) + 1
  return days >= 1 && days <= maxDays ? { from, to, days } : { from: addDays(to, 1 - DEFAULT_DAYS), to, days: DEFAULT_DAYS }
}

/** The period of the same length before it. */
export function periodBefore({ from, days }: Period): Period {
  return { from: addDays(from, -days), to: addDays(from, -1), days }
}

/** The change in whole percent; null when the earlier value is zero. */
export function percentChange(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / Math.abs(before)) * 100)
}

/** Up to this many days the chart has a bar per day, else per month. */
export const MAX_BARS_OF_DAYS = 92
