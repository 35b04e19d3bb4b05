import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { type CheckoutStep, stepOfHash } from '#features/orders/checkout/checkout-rules.ts'

/** The form of step 2, submitted by a button outside it. */
export const DETAILS_FORM = 'details-form'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  window.addEventListener('hashchange', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
    window.removeEventListener('hashchange', listener)
  }
}

function addressOf(step: CheckoutStep): string {
  const page = location.pathname + location.search
  return step === 'cart' ? page : `${page}#${step}`
}

/** The step in the address hash. It lives in the history: Back goes one step back, a reload stays. */
export function useStep() {
  const requested = useSyncExternalStore(
    subscribe,
    () => stepOfHash(location.hash),
    (): CheckoutStep => 'cart',
  )

  const goOn = useCallback((step: CheckoutStep) => {
    history.pushState({ cameFrom: stepOfHash(location.hash) }, '', addressOf(step))
    for (const listener of listeners) listener()
  }, [])

  /** Goes back in the history when the step came from there, so that it does not grow; else replaces the entry. */
  const goBack = useCallback((step: CheckoutStep) => {
    if ((history.state as { cameFrom?: unknown } | null)?.cameFrom === step) return history.back()
    history.replaceState(null, '', addressOf(step))
    for (const listener of listeners) listener()
  }, [])

  return { requested, goOn, goBack }
}

/** Scrolls to and focuses the heading of a new step; not when the page opens. */
export function useStepHead(step: CheckoutStep) {
  const head = useRef<HTMLHeadingElement>(null)
  const before = useRef<CheckoutStep | null>(null)
  useEffect(() => {
    const moved = before.current !== null && before.current !== step
    before.current = step
    if (!moved) return
    window.scrollTo(0, 0)
    head.current?.focus({ preventScroll: true })
  }, [step])
  return head
}
