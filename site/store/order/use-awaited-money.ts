import { useEffect, useState } from 'react'
import type { PaymentStatusJson } from '#features/orders/printing/invoice-rules.ts'
import { awaitsDecision, hasNews } from '#features/orders/printing/payment-news-rules.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { call } from '#page/api-client.ts'

const ASK_MS = 4_000
const ASK_LATER_MS = 15_000
const SLOW_AFTER_MS = 60_000

/**
 * Polls what a gateway or staff decide about the money of an order, with growing delay. A change reloads the page, or opens the confirmation
 * once the online payment promised with the order has come. `suffix`: the query with the key of a signed link.
 */
export function useAwaitedMoney(order: OrderJson, suffix: string): { isSlow: boolean; isOffline: boolean } {
  const [state, setState] = useState({ isSlow: false, isOffline: false })
  const isActive = awaitsDecision(order)
  useEffect(() => {
    if (!isActive) return
    const begun = Date.now()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isStopped = false
    const next = async () => {
      const isSlow = Date.now() - begun > SLOW_AFTER_MS
      // A reload would delete what is being typed.
      if (document.visibilityState === 'visible' && !document.activeElement?.matches('input')) {
        const answer = await call<PaymentStatusJson>(`/payments/status${suffix || '?'}&order=${order.id}`, { cache: 'no-store' })
        if (isStopped) return
        if (answer.ok && hasNews(order, answer.body)) {
          if (answer.body.payment === 'paid' && order.advances.length === 0 && !order.attempt?.is_rest)
            location.replace(`/order/confirmed/${order.id}${suffix}`)
          else location.reload()
        }
        setState({ isSlow, isOffline: answer.noResponse === true || answer.status >= 500 })
        // This browser may no longer see the order: the customer logged out in another tab.
        if (answer.status === 404) return location.reload()
      }
      timer = setTimeout(next, isSlow ? ASK_LATER_MS : ASK_MS)
    }
    timer = setTimeout(next, ASK_MS)
    return () => {
      isStopped = true
      clearTimeout(timer)
    }
  }, [isActive, order, suffix])
  return state
}
