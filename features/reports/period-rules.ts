// The stretch of days that a report is about.
//
// Without a wish it is the thirty days until today. Any first and last day may be asked for, up to ten years; it is compared with as many
// days just before. What makes no sense falls back to the thirty days.
import { addDays, isDay } from '#lib/format/time.ts'

export interface Period {
  /** Days in Dhaka, both included. */
  from: string
  to: string
  days: number
}

const USUAL = 30
const MAX = 3660
const FIRST = '2000-01-01'

/** The period of an address: `from` and `to`, or the usual one. */
export function readPeriod(query: Record<string, string | undefined>, today: string): Period {
  const to = query.to !== undefined && isDay(query.to) && query.to >= FIRST && query.to <= addDays(today, 366) ? query.to : today
  const wanted = query.from !== undefined && isDay(query.from) && query.from >= FIRST ? query.from : addDays(to, 1 - USUAL)
  const days = dayCount(wanted, to)
  return days >= 1 && days <= MAX ? { from: wanted, to, days } : { from: addDays(to, 1 - USUAL), to, days: USUAL }
}

/** As many days just before. */
export function periodBefore({ from, days }: Period): Period {
  return { from: addDays(from, -days), to: addDays(from, -1), days }
}

function dayCount(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000) + 1
}

/** By how much something changed, in whole percent; null when there was nothing before. */
export function percentChange(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / Math.abs(before)) * 100)
}

/** Up to this many days the bars are days; beyond, months. */
export const MAX_BARS_OF_DAYS = 92
