import { type MessageKey, textByData, type Translate } from '#lib/i18n/translate.ts'

/** The bare statuses that gateways give as the reason of a failure. Null: it says no more than the event itself. */
const STATUS_TEXTS: Readonly<Record<string, MessageKey | null>> = {
  failed: null,
  failure: null,
  cancelled: null,
  canceled: null,
  declined: 'gateway.reason.declined',
  expired: 'gateway.reason.expired',
  unattempted: 'gateway.reason.unattempted',
  reversed: 'gateway.reason.reversed',
}

/** The reason of a failed payment or refund as staff read it: a bare status in words or left out, a text of the gateway as it came. */
export function gatewayReason(reason: string, t: Translate): string {
  if (!Object.hasOwn(STATUS_TEXTS, reason)) return reason
  const key = STATUS_TEXTS[reason]
  return key ? textByData(t)(key) : ''
}
