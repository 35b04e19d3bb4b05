// The delivery dates that customers and staff read.
import type { Lang } from '#lib/i18n/lang.ts'
import { formatLongDays } from '#lib/format/time.ts'
import { isExpected, isLive, type OrderStatus } from './rules.ts'

interface DeliveryDates {
  /** The date of the last delivery. */
  deliver_on: string
  /** The date of the first of two deliveries; null for one. */
  first_delivery_on: string | null
}

export interface OrderDates extends DeliveryDates {
  status: OrderStatus
  /** The payment deadline, when the order is cancelled; null when it waits for no payment. */
  expires_at: string | null
  /** Nothing is paid, and staff review a payment; absent: no. */
  is_in_review?: boolean
}

function deliveryDates({ deliver_on, first_delivery_on }: DeliveryDates): string[] {
  return first_delivery_on === null ? [deliver_on] : [first_delivery_on, deliver_on]
}

/** The delivery dates for the customer, one or two; empty for an order that has arrived, has ended, or waits for its payment. */
export function expectedDates(order: OrderDates): string[] {
  return isExpected(order.status, order.expires_at) && !order.is_in_review ? deliveryDates(order) : []
}

/** The delivery dates for lists of the admin, one or two; empty for an ended order, and for a sale over the counter. */
export function listedDates(order: DeliveryDates & { status: OrderStatus; is_over_counter: boolean }): string[] {
  return isLive(order.status) && !order.is_over_counter ? deliveryDates(order) : []
}

/** The expected dates as text; null when there are none. */
export function expectedText(order: OrderDates, lang: Lang): string | null {
  const dates = expectedDates(order)
  return dates.length === 0 ? null : formatLongDays(dates, lang)
}
