// When an order is expected, for everything that its customer reads. Nothing is promised for an order that has ended or that waits for
// its payment: it may never come.
import type { Lang } from '#lib/i18n/lang.ts'
import { formatLongDays } from '#lib/format/time.ts'
import type { OrderStatus } from './rules.ts'

export interface OrderDates {
  status: OrderStatus
  /** When it is cancelled unless the money has come; null when nothing waits. */
  expires_at: string | null
  /** The date on which everything has come. */
  deliver_on: string
  /** The date of the first of two deliveries; null for one. */
  first_delivery_on: string | null
}

/** The delivery dates to expect, one or two; none for an order that has ended or waits for payment. */
export function expectedDates({ status, expires_at, deliver_on, first_delivery_on }: OrderDates): string[] {
  const isOpen = status === 'placed' || status === 'processing' || status === 'on_delivery'
  if (!isOpen || expires_at !== null) return []
  return first_delivery_on === null ? [deliver_on] : [first_delivery_on, deliver_on]
}

/** The expected dates in words; null where none is expected. */
export function expectedText(order: OrderDates, lang: Lang): string | null {
  const dates = expectedDates(order)
  return dates.length === 0 ? null : formatLongDays(dates, lang)
}
