import { addDays, dhakaDate, HOUR_MS } from '#lib/format/time.ts'

/**
 * The day in Dhaka on whose delivery list an order stands: the next day, from the cut-off hour on the day after. `cutoffHour`:
 * `settings.cutoff_hour`.
 */
export function listDate(placedAt: Date, cutoffHour: number): string {
  // Shifting the cutoff to midnight turns a time after it into the next calendar day.
  const shifted = new Date(placedAt.getTime() + (24 - cutoffHour) * HOUR_MS)
  return addDays(dhakaDate(shifted), 1)
}
