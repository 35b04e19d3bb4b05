import {
  attemptFor,
  type CustomerOrderRequest,
  endsAttempt,
  type OrderAttempt,
  placingOutcome,
  type PlacingOutcome,
} from '#features/orders/checkout/order-request-rules.ts'
import { call } from '#page/api-client.ts'
import { readSession, writeSession } from './session-notes.ts'

const KEY = 'orderAttempt'
/** An order with a payment gateway may take a while. */
const TIMEOUT_MS = 45_000

/** Sends an order. After a missing response (null) the next call sends the same idempotency key again. */
export async function sendOrder(request: CustomerOrderRequest): Promise<PlacingOutcome | null> {
  const attempt = attemptFor(storedAttempt(), JSON.stringify(request), newKey)
  writeSession(KEY, attempt)
  const answer = await call('/customer-orders', {
    method: 'POST',
    body: request,
    headers: { 'idempotency-key': attempt.key },
    timeoutMs: TIMEOUT_MS,
  })
  if (answer.noResponse) return null
  const outcome = placingOutcome(answer.status, answer.body, request.is_free_order)
  if (endsAttempt(answer.status) || outcome.kind !== 'failed') writeSession(KEY, null)
  return outcome
}

function storedAttempt(): OrderAttempt | null {
  const stored = readSession(KEY) as Partial<OrderAttempt> | null
  return typeof stored?.key === 'string' && typeof stored.body === 'string' ? { key: stored.key, body: stored.body } : null
}

// Pages without https have no randomUUID.
function newKey(): string {
  return crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
