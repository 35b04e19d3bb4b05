import { useEffect, useState } from 'react'
import type { UnpaidOrder } from './find-unpaid-order.ts'

/** The order that this cart has become, while it waits for its money: who comes back from the payment page has not bought yet. */
export function useUnpaidOrder(id: number | null): UnpaidOrder | null {
  const [waiting, setWaiting] = useState<UnpaidOrder | null>(null)
  useEffect(() => {
    if (id === null) return undefined
    const gone = new AbortController()
    import('./find-unpaid-order.ts')
      .then(({ findUnpaidOrder }) => findUnpaidOrder(id, gone.signal))
      .then((found) => {
        if (!gone.signal.aborted && found !== undefined) setWaiting(found)
      })
      // Without an answer the cart links to the order all the same.
      .catch(() => undefined)
    return () => gone.abort()
  }, [id])
  return waiting
}
