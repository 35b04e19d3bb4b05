import { useEffect, useState } from 'react'
import type { WaitingOrder } from './find-unpaid-order.ts'

/** The order that this cart has become, while it waits for its money: who comes back from the payment page has not bought yet. */
export function useWaitingOrder(id: number | null): WaitingOrder | null {
  const [waiting, setWaiting] = useState<WaitingOrder | null>(null)
  useEffect(() => {
    if (id === null) return undefined
    const gone = new AbortController()
    import('./find-unpaid-order.ts')
      .then(({ findWaitingOrder }) => findWaitingOrder(id, gone.signal))
      .then((found) => {
        if (!gone.signal.aborted && found !== undefined) setWaiting(found)
      })
      // Without an answer the cart links to the order all the same.
      .catch(() => undefined)
    return () => gone.abort()
  }, [id])
  return waiting
}
