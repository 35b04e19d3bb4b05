import { useSyncExternalStore } from 'react'
import type { PosTerms } from '#features/pos/pos-terms.ts'
import { hasNetwork, posCall } from './network.ts'

/** The terms as read last; null: those that the page was loaded with. */
let terms: PosTerms | null = null
const listeners = new Set<() => void>()

/** Reads the terms of the shop, which the owner may have changed while the page is open. Without an answer they stay. */
export async function refreshTerms(): Promise<void> {
  if (!hasNetwork()) return
  const answer = await posCall<PosTerms>('/api/admin/quick-orders/terms', { cache: 'no-store' })
  if (!answer.ok || JSON.stringify(answer.body) === JSON.stringify(terms)) return
  terms = answer.body
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The current terms of the shop. */
export function useShopTerms(loaded: PosTerms): PosTerms {
  return (
    useSyncExternalStore(
      subscribe,
      () => terms,
      () => null,
    ) ?? loaded
  )
}
