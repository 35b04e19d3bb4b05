import { useEffect, useRef, useState } from 'react'
import {
  attemptFor,
  type CustomerOrderRequest,
  type OrderAttempt,
  placingOutcome,
  type PlacingOutcome,
  endsAttempt,
} from '#features/orders/checkout/checkout-rules.ts'
import { call } from '#page/api-client.ts'
import { readSession, writeSession } from './session-notes.ts'

const KEY = 'orderAttempt'
/** An order with a payment gateway may take a while. */
const TIMEOUT_MS = 45_000

export type PlaceOrderState = { state: 'idle' | 'busy' } | { state: 'no-response' } | { state: 'answered'; outcome: PlacingOutcome }

/** Sends an order once: a second press is ignored, and after a missing response the same idempotency key is sent again. */
export function usePlaceOrder() {
  const [state, setState] = useState<PlaceOrderState>({ state: 'idle' })
  const inFlight = useRef(false)

  // Restored from the back/forward cache, the button must be enabled again.
  useEffect(() => {
    const onPageShow = (event: PageTransitionEvent) => {
      if (event.persisted && !inFlight.current) setState({ state: 'idle' })
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [])

  async function place(request: CustomerOrderRequest): Promise<PlacingOutcome | null> {
    if (inFlight.current) return null
    inFlight.current = true
    setState({ state: 'busy' })
    const attempt = attemptFor(storedAttempt(), JSON.stringify(request), newKey)
    writeSession(KEY, attempt)
    const answer = await call('/customer-orders', {
      method: 'POST',
      body: request,
      headers: { 'idempotency-key': attempt.key },
      timeoutMs: TIMEOUT_MS,
    })
    inFlight.current = false
    if (answer.noResponse) {
      setState({ state: 'no-response' })
      return null
    }
    const outcome = placingOutcome(answer.status, answer.body, request.is_free_order)
    if (endsAttempt(answer.status) || outcome.kind !== 'failed') writeSession(KEY, null)
    setState({ state: 'answered', outcome })
    return outcome
  }

  return { state, place, reset: () => setState({ state: 'idle' }) }
}

function storedAttempt(): OrderAttempt | null {
  const stored = readSession(KEY) as Partial<OrderAttempt> | null
  return typeof stored?.key === 'string' && typeof stored.body === 'string' ? { key: stored.key, body: stored.body } : null
}

// Pages without https have no randomUUID.
function newKey(): string {
  return crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
