import { type MessageKey, textByData, type Translate } from '#lib/i18n/translate.ts'

/** The bare statuses that gateways give as the reason of a failure, and the reasons that the shop stores. Null: it says no more than the event. */
const STATUS_TEXTS: Readonly<Record<string, MessageKey | null>> = {
  failed: null,
  failure: null,
  cancelled: null,
  canceled: null,
  declined: 'gateway.reason.declined',
  expired: 'gateway.reason.expired',
  unattempted: 'gateway.reason.unattempted',
  reversed: 'gateway.reason.reversed',
  'not refunded, as found by the staff': 'gateway.reason.not-refunded',
  'recorded with another amount or for another order': 'gateway.reason.recorded-otherwise',
  'more than the order still holds': 'gateway.reason.more-than-held',
  'paid in another currency': 'gateway.reason.other-currency',
}

/** The reason that the shop stores with the refund of a payment in a foreign currency. */
const PAID_IN = /^paid in ([A-Z]{3})$/

/** The reason of a failed payment or refund as staff read it: a known one in words or left out, a text of the gateway as it came. */
export function gatewayReason(reason: string, t: Translate): string {
  const currency = PAID_IN.exec(reason)?.[1]
  if (currency !== undefined) return t('gateway.reason.currency', { currency })
  if (!Object.hasOwn(STATUS_TEXTS, reason)) return reason
  const key = STATUS_TEXTS[reason]
  return key ? textByData(t)(key) : ''
}
