import { useEffect, useState } from 'react'
import type { UnpaidOrder } from './find-unpaid-order.ts'

/** The unpaid order of this cart: a customer who returns from the payment page has not paid yet. */
export function useUnpaidOrder(id: number | null): UnpaidOrder | null {
  const [waiting, setWaiting] = useState<UnpaidOrder | null>(null)
  useEffect(() => {
    if (id === null) return undefined
    const gone = new AbortController()
    import('./find-unpaid-order.ts')
      .then(({ findUnpaidOrder }) => findUnpaidOrder(id, gone.signal))
      // Its note is rendered from this import.
      .then((found) => (found ? import('./unpaid-order.tsx').then(() => found) : found))
      .then((found) => {
        if (!gone.signal.aborted && found !== undefined) setWaiting(found)
      })
      // Without a response the cart still links to the order.
      .catch(() => undefined)
    return () => gone.abort()
  }, [id])
  return waiting
}
