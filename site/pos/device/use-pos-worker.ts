import { useEffect } from 'react'

/** Lets the till's page open without network: its worker keeps it, and looks after its own updates. */
export function usePosWorker(): void {
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    navigator.serviceWorker
      .register('/admin/quick-orders/worker.js', { scope: '/admin/quick-orders', updateViaCache: 'none' })
      .catch(() => {})
  }, [])
}
