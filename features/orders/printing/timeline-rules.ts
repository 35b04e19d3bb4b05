// The timeline of an order for its customer. A module of its own: the checkout loads the rules of payments, and would carry these texts.
import { shownStatus } from '../rules.ts'
import type { OrderJson } from '../types.ts'

const KNOWN_EVENTS = {
  'payment-received': 'order-event.payment',
  'payment-recorded': 'order-event.payment',
  'paid-twice': 'order-event.payment',
  'paid-after-end': 'order-event.payment',
  'payment-failed': 'order-event.payment-failed',
  'payment-cancelled': 'order-event.payment-cancelled',
  'payment-method-changed': 'order-event.payment-method-changed',
  'payment-refused': 'order-event.payment-refused',
  'refund-done': 'order-event.refunded',
  'refund-recorded': 'order-event.refunded',
  'advance-reported': 'order-event.advance-reported',
  'advance-verified': 'order-event.advance-verified',
  'advance-refused': 'order-event.advance-refused',
  'phone-proven': 'order-event.phone-proven',
  settled: 'order-event.settled',
  'delivery-announced': 'order-event.delivery-announced',
  'delivery-moved': 'order-event.delivery-moved',
} as const

type EventText = (typeof KNOWN_EVENTS)[keyof typeof KNOWN_EVENTS] | `order-status.${ReturnType<typeof shownStatus>}`

/** The events that the customer sees, as message keys, oldest first. */
export function timeline(order: OrderJson): { at: string; text: EventText }[] {
  return order.events.flatMap(({ at, kind, to_status }) => {
    const text =
      to_status === null
        ? Object.hasOwn(KNOWN_EVENTS, kind)
          ? KNOWN_EVENTS[kind as keyof typeof KNOWN_EVENTS]
          : null
        : (`order-status.${shownStatus({ ...order, status: to_status })}` as const)
    return text === null ? [] : [{ at, text }]
  })
}
