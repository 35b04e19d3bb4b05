import { useSyncExternalStore } from 'react'
import { call, type CallResult } from '#page/api-client.ts'

// Whether the server is reachable: navigator.onLine, corrected by how calls end. A network without a response counts as offline.
let isReachable = true
const listeners = new Set<() => void>()

function setReachable(reachable: boolean): void {
  if (isReachable === reachable) return
  isReachable = reachable
  for (const listener of listeners) listener()
}

export const hasNetwork = () => isReachable

const successListeners = new Set<() => void>()

/** Calls the listener after each call of the POS that succeeded. Returns the unsubscribe function. */
export function onCallSucceeded(listener: () => void): () => void {
  successListeners.add(listener)
  return () => void successListeners.delete(listener)
}

/** An API call of the POS; its result updates the connection state. */
export async function posCall<Body>(...args: Parameters<typeof call>): Promise<CallResult<Body>> {
  const answer = await call<Body>(...args)
  // Aborted by the caller: the state of the network is unknown.
  if (!args[1]?.signal?.aborted) setReachable(!answer.noResponse)
  if (answer.ok) for (const listener of successListeners) listener()
  return answer
}

function subscribe(listener: () => void): () => void {
  const update = () => setReachable(navigator.onLine)
  listeners.add(listener)
  window.addEventListener('online', update)
  window.addEventListener('offline', update)
  if (!navigator.onLine) update()
  return () => {
    listeners.delete(listener)
    window.removeEventListener('online', update)
    window.removeEventListener('offline', update)
  }
}

/** Whether the server is reachable, as far as known. */
export function useNetwork(): boolean {
  return useSyncExternalStore(subscribe, hasNetwork, () => true)
}
