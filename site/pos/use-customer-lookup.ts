import { useEffect, useRef, useState } from 'react'
import { readPosPhone } from '#features/pos/rules.ts'
import { onCallSucceeded, posCall } from './device/network.ts'
import { backoff, isAskedAgain } from './device/outbox-rules.ts'

/**
 * What the shop knows of a customer once the phone number is complete; null until it has answered. While the shop is busy or unreachable it is
 * asked again, after a growing delay or as soon as another call succeeds. `onFound` is called with the answer itself: an effect could come after the
 * sale is placed, and change the next one.
 */
export function useCustomerLookup<Body>(part: 'customer' | 'account', typed: string, onFound?: (body: Body) => void): Body | null {
  const [found, setFound] = useState<{ phone: string; body: Body } | null>(null)
  const latest = useRef(onFound)
  useEffect(() => void (latest.current = onFound))
  const phone = readPosPhone(typed)
  useEffect(() => {
    if (phone === null) return
    // The next sale of a customer asks again. When the phone is cleared after a sale, nothing is rendered a second time.
    setFound(null)
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async (tries: number) => {
      clearTimeout(timer)
      timer = undefined
      const answer = await posCall<Body>(`/api/admin/quick-orders/${part}?phone=${phone}`, { signal: stop.signal })
      if (stop.signal.aborted) return
      if (answer.ok) {
        setFound({ phone, body: answer.body })
        latest.current?.(answer.body)
      } else if (answer.noResponse || isAskedAgain(answer.status)) timer = setTimeout(() => void ask(tries + 1), backoff(tries))
    }
    const endListening = onCallSucceeded(() => void (timer !== undefined && ask(0)))
    void ask(0)
    return () => {
      stop.abort()
      endListening()
      clearTimeout(timer)
    }
  }, [part, phone])
  return found !== null && found.phone === phone ? found.body : null
}
