// The status transitions of an order.
//
// The steps are placed, processing, on delivery, delivered, completed. An order can be cancelled before it is sent, and returned afterwards;
// both need a reason. A manager may reopen it.
import { isEnded } from '#features/ledger/rules.ts'
import { shopToday } from '#lib/format/time.ts'

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

/** Reopening returns an order to a status in which it can be edited. The caller checks that its products are available. */
const REOPENINGS: Partial<Record<OrderStatus, OrderStatus>> = {
  cancelled: 'placed',
  returned: 'processing',
  completed: 'delivered',
}

/** The statuses that may follow. `mayReopen`: the actor has the permission to reopen orders. */
export function nextStatuses(from: OrderStatus, mayReopen = false): OrderStatus[] {
  const reopened = mayReopen ? REOPENINGS[from] : undefined
  return reopened === undefined ? [...MOVES[from]] : [...MOVES[from], reopened]
}

/** Whether the status may change from one to the other. */
export function canMove(from: OrderStatus, to: OrderStatus, mayReopen = false): boolean {
  return nextStatuses(from, mayReopen).includes(to)
}

/** `forward`: on the way to the customer. `end`: cancels or returns the order. `reopen`: back to a status in which it can be edited. */
export type StepKind = 'forward' | 'end' | 'reopen'

/** The kind of an allowed status change. */
export function stepKind(from: OrderStatus, to: OrderStatus): StepKind {
  if (isEnded(to)) return 'end'
  return MOVES[from].includes(to) ? 'forward' : 'reopen'
}

/** Whether a change to this status needs a reason. */
export function needsReason(status: OrderStatus): boolean {
  return isEnded(status)
}

/** Whether an order holds its stock: until it is cancelled or returned. */
export function isLive(status: OrderStatus): boolean {
  return !isEnded(status)
}

export const TO_SEND_STATUSES: readonly OrderStatus[] = ['placed', 'processing']
export const OPEN_STATUSES: readonly OrderStatus[] = ['placed', 'processing', 'on_delivery']
export const HANDED_OVER_STATUSES: readonly OrderStatus[] = ['delivered', 'completed']

/** Whether the order is still to be sent. */
export function isToSend(status: OrderStatus): boolean {
  return TO_SEND_STATUSES.includes(status)
}

/** Whether the order has been sent. Its animals are then sold, whatever was paid [S2]. */
export function isSent(status: OrderStatus): boolean {
  return isLive(status) && !isToSend(status)
}

/** Whether the order is still to be delivered. */
export function isOpen(status: OrderStatus): boolean {
  return OPEN_STATUSES.includes(status)
}

/** Whether the customer has received the products. Cash on delivery is recorded with this step. */
export function isHandedOver(status: OrderStatus): boolean {
  return HANDED_OVER_STATUSES.includes(status)
}

/** Whether a delivery is to be expected: the order is open and waits for no payment. */
export function isExpected(status: OrderStatus, expiresAt: string | null): boolean {
  return expiresAt === null && isOpen(status)
}

/** Whether contact, lines and charges may be edited. Ended and completed orders must be reopened first. */
export function isEditable(status: OrderStatus): boolean {
  return isLive(status) && status !== 'completed'
}

/** Whether the day of the first of two deliveries has come. */
export function hasFirstDeliveryCome({ first_delivery_on: first }: { first_delivery_on: string | null }, today: string): boolean {
  return first !== null && first <= today
}

/**
 * Whether the first of two deliveries may have been made: its day has come, and the order stays in processing until the second one is sent.
 * delivery-dates.server.ts has the same condition in SQL.
 */
export function mayBePartlyDelivered(order: { status: OrderStatus; first_delivery_on: string | null }, today = shopToday()): boolean {
  return order.status === 'processing' && hasFirstDeliveryCome(order, today)
}

/** The status as its customer reads it: an order to collect waits at the farm, where others are out for delivery. */
export function shownStatus({ status, is_collection }: { status: OrderStatus; is_collection: boolean }): OrderStatus | 'ready' {
  return is_collection && status === 'on_delivery' ? 'ready' : status
}
