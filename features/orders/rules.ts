// The course of an order.
//
// Placed, processing, on delivery, delivered, completed: one step after another. It can be cancelled until it goes on delivery, and
// returned from then on; both need a reason. A manager may open it again. An order placed before nine in the evening counts
// for tomorrow's list, later ones for the day after. An online payment not finished in half an hour lets the goods go again, and so does an
// advance by transfer that nobody reported by then; a day is allowed where the phone is proven by a code, and for verifying a reported one.
import { addDays, dhakaDate } from '#lib/format/time.ts'

export const ORDER_STATUSES = ['placed', 'processing', 'on_delivery', 'delivered', 'completed', 'cancelled', 'returned'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

const MOVES: Record<OrderStatus, readonly OrderStatus[]> = {
  placed: ['processing', 'cancelled'],
  processing: ['on_delivery', 'cancelled'],
  on_delivery: ['delivered', 'returned'],
  delivered: ['completed', 'returned'],
  completed: ['returned'],
  cancelled: [],
  returned: [],
}

// Opening again takes an order back to where it can be corrected; whether its goods are still there is checked by the caller.
const REOPENINGS: Partial<Record<OrderStatus, OrderStatus>> = {
  cancelled: 'placed',
  returned: 'processing',
  completed: 'delivered',
}

/** Where an order can go from a status; `mayReopen` is whether the person is allowed to open it again (not decided here). */
export function nextStatuses(from: OrderStatus, mayReopen = false): OrderStatus[] {
  const reopened = mayReopen ? REOPENINGS[from] : undefined
  return reopened === undefined ? [...MOVES[from]] : [...MOVES[from], reopened]
}

export function canMove(from: OrderStatus, to: OrderStatus, mayReopen = false): boolean {
  return nextStatuses(from, mayReopen).includes(to)
}

/** Whether a status is entered only with a reason. */
export function needsReason(status: OrderStatus): boolean {
  return status === 'cancelled' || status === 'returned'
}

/** Whether an order holds its goods: from being placed until it is cancelled or returned. */
export function isLive(status: OrderStatus): boolean {
  return !needsReason(status)
}

/** Whether contact, lines and charges may still be changed: an order that has ended or is closed is opened again first. */
export function isEditable(status: OrderStatus): boolean {
  return isLive(status) && status !== 'completed'
}

/** From then on an animal is sold, whatever has been paid [S2]: the staff let it go. */
export function goesOut(status: OrderStatus): boolean {
  return status === 'on_delivery' || status === 'delivered' || status === 'completed'
}

/** Whether the goods are in the customer's hands: cash at the door is collected on the way there. */
export function isHandedOver(status: OrderStatus): boolean {
  return status === 'delivered' || status === 'completed'
}

export const CUTOFF_HOUR = 21
const HOUR = 3_600_000

/** The Dhaka day whose list an order counts for. */
export function listDate(placedAt: Date, cutoffHour = CUTOFF_HOUR): string {
  // Moving the cut-off to midnight makes "after nine" the next calendar day.
  const shifted = new Date(placedAt.getTime() + (24 - cutoffHour) * HOUR)
  return addDays(dhakaDate(shifted), 1)
}

/** The settings that say how long an order waits for its money [S3]. */
export interface Expiry {
  paymentMinutes: number
  unreportedMinutes: number
  advanceHours: number
}

/** `unreported`: an advance is to be sent by hand. `proven`: so, and the phone is proven. `reported`: it waits to be verified. */
export type Waiting = 'gateway' | 'unreported' | 'proven' | 'reported'

/** Changing the payment method gives the order its full time again, until this many times that time after it was placed. */
const MAX_TIMES_EXTENDED = 3

/** How long an order is held whose buyer changed to an advance by hand. A proven phone counts from placing, as when proven later. */
export function expiresAfterChange(now: Date, placedAt: Date, isPhoneProven: boolean, expiry: Expiry): Date {
  if (isPhoneProven) return expiresAt(placedAt, 'proven', expiry)
  const fullTime = expiresAt(now, 'unreported', expiry).getTime()
  const longest = placedAt.getTime() + MAX_TIMES_EXTENDED * (expiresAt(placedAt, 'unreported', expiry).getTime() - placedAt.getTime())
  return new Date(Math.min(fullTime, longest))
}

/** When an order that waits for its money is cancelled: so long after it was placed, or after its advance was reported. */
export function expiresAt(since: Date, waiting: Waiting, { paymentMinutes, unreportedMinutes, advanceHours }: Expiry): Date {
  const day = advanceHours * 60
  // A short advance time holds for unreported ones, too.
  const minutes = { gateway: paymentMinutes, unreported: Math.min(unreportedMinutes, day), proven: day, reported: day }
  return new Date(since.getTime() + minutes[waiting] * 60_000)
}
