import { useEffect } from 'react'

const RETRY_MS = 20_000

/**
 * Registers the service worker that opens the POS page offline and updates itself. An installation that fails, on a slow line for
 * example, is tried again: the page stays open all day.
 */
export function usePosWorker(): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    let timer: ReturnType<typeof setTimeout>
    const register = async () => {
      const registration = await navigator.serviceWorker
        .register('/admin/quick-orders/worker.js', { scope: '/admin/quick-orders', updateViaCache: 'none' })
        .catch(() => null)
      if (!registration?.active) timer = setTimeout(register, RETRY_MS)
    }
    void register()
    return () => clearTimeout(timer)
  }, [])
}
