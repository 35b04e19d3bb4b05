// The delivery dates that a customer reads. An order that has ended or waits for its payment has none.
import type { Lang } from '#lib/i18n/lang.ts'
import { formatLongDays } from '#lib/format/time.ts'
import { isExpected, type OrderStatus } from './rules.ts'

export interface OrderDates {
  status: OrderStatus
  /** The payment deadline, when the order is cancelled; null when it waits for no payment. */
  expires_at: string | null
  /** The date of the last delivery. */
  deliver_on: string
  /** The date of the first of two deliveries; null for one. */
  first_delivery_on: string | null
}

/** The delivery dates to show, one or two; empty for an order that is not expected. */
export function expectedDates({ status, expires_at, deliver_on, first_delivery_on }: OrderDates): string[] {
  if (!isExpected(status, expires_at)) return []
  return first_delivery_on === null ? [deliver_on] : [first_delivery_on, deliver_on]
}

/** The expected dates as text; null when there are none. */
export function expectedText(order: OrderDates, lang: Lang): string | null {
  const dates = expectedDates(order)
  return dates.length === 0 ? null : formatLongDays(dates, lang)
}
