import {
  attemptFor,
  customerOrderRequest,
  type CustomerOrderRequest,
  endsAttempt,
  isRequestFor,
  type OrderAttempt,
  placingOutcome,
  type PlacingOutcome,
  shownDay,
} from '#features/orders/checkout/order-request-rules.ts'
import type { Quote } from '#features/pricing/quote-rules.ts'
import { GATEWAY_WAIT_MS } from '#features/payments/gateway.ts'
import { newRequestKey } from '#lib/http/idempotency-key.ts'
import { call, type CallResult } from '#page/api-client.ts'
import { readSession, writeSession } from '#page/session-notes.ts'
import type { Checkout } from './use-checkout.ts'

const KEY = 'orderAttempt'

/** Whether the key has placed an order with another request. The limit of unpaid animals has this status too. */
const isKeyReused = ({ status, body }: CallResult<Answer>) => status === 409 && body?.held === undefined

/**
 * Sends an order with its shown day, of which the attempt is independent: it may pass the cut-off. After a missing response (null) the next call
 * sends the same idempotency key again. Where the key has placed an order with an earlier request, that order is the result; one that has ended
 * meanwhile is none, and the order is sent under a new key.
 */
export async function sendOrder(request: CustomerOrderRequest, quote: Quote): Promise<PlacingOutcome | null> {
  const attempt = attemptFor(storedAttempt(), request, newRequestKey)
  writeSession(KEY, attempt)
  let answer = await post(attempt.key, request, quote)
  const unanswered = [...attempt.earlier]
  let isEarlier = false
  while (isKeyReused(answer) && unanswered.length > 0) {
    answer = await post(attempt.key, unanswered.shift()!, quote)
    isEarlier = true
  }
  if (answer.noResponse) return null
  const { status, body } = answer
  const outcome = placingOutcome(status, body, request.is_free_order)
  if (endsAttempt(status) || outcome.kind !== 'failed') writeSession(KEY, null)
  if (body?.has_ended || (isEarlier && status === 410)) return sendOrder(request, quote)
  // The shopper may have chosen another payment since: the invoice offers all of them.
  return isEarlier && outcome.kind === 'pay' && outcome.orderId !== null ? { kind: 'pay-later', orderId: outcome.orderId } : outcome
}

interface Answer {
  held?: number
  has_ended?: boolean
}

const post = (key: string, request: CustomerOrderRequest, quote: Quote) =>
  call<Answer>('/customer-orders', {
    method: 'POST',
    body: { ...request, expected_day: shownDay(quote) },
    headers: { 'idempotency-key': key },
    timeoutMs: GATEWAY_WAIT_MS,
  })

/** The order as the page shows it; null without a payment option. */
export function requestOf({ details, quote, option, requested }: Checkout): CustomerOrderRequest | null {
  return option && customerOrderRequest(details, quote, { choice: option.choice, ...requested })
}

/**
 * The last request, if it had no answer and orders this cart, of which something is unavailable now; else null. Its order may exist and hold
 * these products: sending it again gets that order.
 */
export function unansweredOrder({ readiness, details, lines }: Checkout): CustomerOrderRequest | null {
  const attempt = readiness.hasGone || readiness.hasInvalid ? storedAttempt() : null
  const items = lines.map(({ item }) => item)
  return attempt && isRequestFor(attempt.request, details, items) ? attempt.request : null
}

function storedAttempt(): OrderAttempt | null {
  const { key, request, earlier, body } = (readSession(KEY) ?? {}) as Partial<OrderAttempt & { body: string }>
  // An attempt of release 0.1.0 has the request as text.
  const sent = request ?? (body ? (JSON.parse(body) as CustomerOrderRequest) : null)
  return key && sent ? { key, request: sent, earlier: earlier ?? [] } : null
}
