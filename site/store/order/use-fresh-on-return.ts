import { useEffect } from 'react'

/** Reloads a page restored from the back/forward cache after the payment page. */
export function useFreshOnReturn(): void {
  useEffect(() => {
    const renew = (event: PageTransitionEvent) => {
      if (event.persisted) location.reload()
    }
    window.addEventListener('pageshow', renew)
    return () => window.removeEventListener('pageshow', renew)
  }, [])
}
