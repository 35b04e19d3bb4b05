import { useEffect, useRef, useState } from 'react'
import type { PlacingOutcome } from '#features/orders/checkout/order-request-rules.ts'

export type PlaceOrderState = { state: 'idle' | 'busy' } | { state: 'no-response' } | { state: 'answered'; outcome: PlacingOutcome }

/** Sends an order once: a second press is ignored. `send` answers null without a response. */
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

  async function place(send: () => Promise<PlacingOutcome | null>): Promise<PlacingOutcome | null> {
    if (inFlight.current) return null
    inFlight.current = true
    setState({ state: 'busy' })
    const outcome = await send()
    inFlight.current = false
    setState(outcome === null ? { state: 'no-response' } : { state: 'answered', outcome })
    return outcome
  }

  return { state, place, reset: () => setState({ state: 'idle' }) }
}
