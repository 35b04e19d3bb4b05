import { useEffect } from 'react'

const RETRY_MS = 20_000
/** An active worker claims the page within this time. */
const CLAIM_MS = 1000

/**
 * Registers the service worker that opens the POS page offline and updates itself. An installation that fails, on a slow line for
 * example, is tried again: the page stays open all day. Only for staff who sell: the worker also fetches the customer display, which is
 * forbidden to others.
 */
export function usePosWorker({ canSell }: { canSell: boolean }): void {
  useEffect(() => {
    if (!canSell || !import.meta.env.PROD || !('serviceWorker' in navigator)) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isStopped = false
    // The page may be left while the browser works on an answer.
    const later = (work: () => Promise<void>, ms: number) => {
      if (!isStopped) timer = setTimeout(work, ms)
    }
    const register = async () => {
      const registration = await navigator.serviceWorker
        .register('/admin/quick-orders/worker.js', { scope: '/admin/quick-orders', updateViaCache: 'none' })
        .catch(() => null)
      if (registration?.active) later(claim, CLAIM_MS)
      else later(register, RETRY_MS)
    }
    // A page that loads while the worker becomes active is too late for the worker's own claim: it would have no files without network.
    const claim = async () => {
      if (navigator.serviceWorker.controller) return
      const registration = await navigator.serviceWorker.ready
      registration.active?.postMessage('claim')
      later(claim, RETRY_MS)
    }
    void register()
    return () => {
      isStopped = true
      clearTimeout(timer)
    }
  }, [canSell])
}
