import type { MessageKey } from '#lib/i18n/translate.ts'
import { addDays, dhakaDate } from '#lib/format/time.ts'

/** Animals are booked for the next Kurbani season, a year ahead; more than two years are a wrong year. */
const MAX_DAYS_AHEAD = 730

/** Why staff cannot choose this delivery day; null when they can, or have chosen none. */
export function deliveryDayProblem(day: string | undefined, now: Date): MessageKey | null {
  if (day === undefined) return null
  const today = dhakaDate(now)
  if (day < today) return 'admin-orders.delivery-past'
  return day > addDays(today, MAX_DAYS_AHEAD) ? 'field.year' : null
}
