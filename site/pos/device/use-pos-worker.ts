import { useEffect } from 'react'

/** Registers the service worker that opens the POS page offline and updates itself. */
export function usePosWorker(): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    navigator.serviceWorker
      .register('/admin/quick-orders/worker.js', { scope: '/admin/quick-orders', updateViaCache: 'none' })
      .catch(() => {})
  }, [])
}
