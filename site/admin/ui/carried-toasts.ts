import { useEffect } from 'react'
import { showToast, pendingToasts } from '#components/toast.tsx'

// A saved form often redirects to its list. `sessionStorage` carries the confirmation to the next page.

const KEY = 'toasts'
/** Older confirmations are dropped. */
const MAX_AGE_MS = 20_000
/** A confirmation stays readable on the next page for at least this long. */
const MIN_SHOWN_MS = 3000
const MAX_CARRIED = 3

interface Carried {
  texts: string[]
  at: number
}

/** Shows the confirmations that the page before this one had on the screen when it was left. */
export function useCarriedToasts(): void {
  useEffect(() => {
    for (const text of takeCarried(Date.now())) showToast(text, { milliseconds: MIN_SHOWN_MS })
    const arrived = new Set(pendingToasts().map(({ id }) => id))
    const carry = () => storeConfirmations(arrived)
    window.addEventListener('pagehide', carry)
    return () => window.removeEventListener('pagehide', carry)
  }, [])
}

/** Stores the confirmations of this page. Errors and toasts of the previous page are not carried on. */
function storeConfirmations(arrived: ReadonlySet<number>): void {
  const texts = pendingToasts().flatMap(({ id, kind, text }) => (kind === 'success' && !arrived.has(id) ? [text] : []))
  try {
    if (texts.length > 0) sessionStorage.setItem(KEY, JSON.stringify({ texts, at: Date.now() } satisfies Carried))
  } catch {
    // Without storage the next page shows no confirmation.
  }
}

function takeCarried(now: number): string[] {
  try {
    const carried = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<Carried> | null
    sessionStorage.removeItem(KEY)
    if (!carried || !Array.isArray(carried.texts) || typeof carried.at !== 'number' || now - carried.at > MAX_AGE_MS) return []
    return carried.texts.filter((text) => typeof text === 'string').slice(0, MAX_CARRIED)
  } catch {
    return []
  }
}
