import { useSyncExternalStore } from 'react'
import { call, type CallResult } from '#page/api-client.ts'

// Whether the shop answers: what the browser says, corrected by how calls end. A network that is there and leads nowhere is none.
let isThere = true
const listeners = new Set<() => void>()

function heardOfNetwork(there: boolean): void {
  if (isThere === there) return
  isThere = there
  for (const listener of listeners) listener()
}

export const hasNetwork = () => isThere

/** A call of the till, from whose end the till learns whether the shop can be reached. */
export async function posCall<Body>(...args: Parameters<typeof call>): Promise<CallResult<Body>> {
  const answer = await call<Body>(...args)
  // Given up by ourselves: nothing is learned.
  if (!args[1]?.signal?.aborted) heardOfNetwork(!answer.noResponse)
  return answer
}

function subscribe(listener: () => void): () => void {
  const look = () => heardOfNetwork(navigator.onLine)
  listeners.add(listener)
  window.addEventListener('online', look)
  window.addEventListener('offline', look)
  if (!navigator.onLine) look()
  return () => {
    listeners.delete(listener)
    window.removeEventListener('online', look)
    window.removeEventListener('offline', look)
  }
}

/** Whether the shop can be reached, as far as is known. */
export function useNetwork(): boolean {
  return useSyncExternalStore(subscribe, hasNetwork, () => true)
}
