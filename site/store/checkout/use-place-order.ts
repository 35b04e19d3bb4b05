import { useEffect, useRef, useState } from 'react'
import {
  attemptFor,
  type CustomerOrderRequest,
  type OrderAttempt,
  placingOutcome,
  type PlacingOutcome,
  settlesAttempt,
} from '#features/orders/checkout/checkout-rules.ts'
import { call } from '#page/api-client.ts'
import { readSession, writeSession } from './session-notes.ts'

const KEY = 'orderAttempt'
/** An order that goes on to a gateway may take a while. */
const TIMEOUT_MS = 45_000

export type Placing = { state: 'idle' | 'busy' } | { state: 'silent' } | { state: 'answered'; outcome: PlacingOutcome }

/** Sends an order, once: pressing twice sends one, and after silence the same key goes again, so that it stays one order. */
export function usePlacing() {
  const [placing, setPlacing] = useState<Placing>({ state: 'idle' })
  const inFlight = useRef(false)

  // Coming back from the payment page must not find a button that waits for ever.
  useEffect(() => {
    const wake = (event: PageTransitionEvent) => {
      if (event.persisted && !inFlight.current) setPlacing({ state: 'idle' })
    }
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [])

  async function place(request: CustomerOrderRequest): Promise<PlacingOutcome | null> {
    if (inFlight.current) return null
    inFlight.current = true
    setPlacing({ state: 'busy' })
    const attempt = attemptFor(keptAttempt(), JSON.stringify(request), newKey)
    writeSession(KEY, attempt)
    const answer = await call('/customer-orders', {
      method: 'POST',
      body: request,
      headers: { 'idempotency-key': attempt.key },
      timeoutMs: TIMEOUT_MS,
    })
    inFlight.current = false
    if (answer.noResponse) {
      setPlacing({ state: 'silent' })
      return null
    }
    const outcome = placingOutcome(answer.status, answer.body, request.is_free_order)
    if (settlesAttempt(answer.status) || outcome.kind !== 'failed') writeSession(KEY, null)
    setPlacing({ state: 'answered', outcome })
    return outcome
  }

  return { placing, place, reset: () => setPlacing({ state: 'idle' }) }
}

function keptAttempt(): OrderAttempt | null {
  const kept = readSession(KEY) as Partial<OrderAttempt> | null
  return typeof kept?.key === 'string' && typeof kept.body === 'string' ? { key: kept.key, body: kept.body } : null
}

// A page that is not served over https has no randomUUID.
function newKey(): string {
  return crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
