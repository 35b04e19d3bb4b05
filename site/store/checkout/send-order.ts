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
import { call } from '#page/api-client.ts'
import { readSession, writeSession } from '#page/session-notes.ts'
import type { Checkout } from './use-checkout.ts'

const KEY = 'orderAttempt'

/**
 * Sends an order with its shown day, of which the attempt is independent: it may pass the cut-off. After a missing response (null) the next call
 * sends the same idempotency key again.
 */
export async function sendOrder(request: CustomerOrderRequest, quote: Quote): Promise<PlacingOutcome | null> {
  const attempt = attemptFor(storedAttempt(), JSON.stringify(request), newRequestKey)
  writeSession(KEY, attempt)
  const answer = await call('/customer-orders', {
    method: 'POST',
    body: { ...request, expected_day: shownDay(quote) },
    headers: { 'idempotency-key': attempt.key },
    timeoutMs: GATEWAY_WAIT_MS,
  })
  if (answer.noResponse) return null
  const outcome = placingOutcome(answer.status, answer.body, request.is_free_order)
  if (endsAttempt(answer.status) || outcome.kind !== 'failed') writeSession(KEY, null)
  return outcome
}

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
  const request = attempt && (JSON.parse(attempt.body) as CustomerOrderRequest)
  const items = lines.map(({ item }) => item)
  return request && isRequestFor(request, details, items) ? request : null
}

function storedAttempt(): OrderAttempt | null {
  const stored = readSession(KEY) as Partial<OrderAttempt> | null
  return typeof stored?.key === 'string' && typeof stored.body === 'string' ? { key: stored.key, body: stored.body } : null
}
