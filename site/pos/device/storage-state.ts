import { useSyncExternalStore } from 'react'

// Whether this device stores the sales of the POS safely.

/** A browser whose IndexedDB hangs does not block the POS: what it has not read or written after this time counts as failed. */
export const STORAGE_TIMEOUT_MS = 4000

/** The storage is full, or the browser may delete it when space is short. */
export type StorageProblem = 'full' | 'not-persistent'

let isFull = false
let isPersistent = true
let isRequested = false
const listeners = new Set<() => void>()
const notify = () => {
  for (const listener of listeners) listener()
}

const storageProblem = (): StorageProblem | null => (isFull ? 'full' : isPersistent ? null : 'not-persistent')

/** Whether a write failed because the device has no space left. */
export const isDeviceFull = () => isFull

/** Records how a write to IndexedDB failed; null after a sale was stored in the outbox. */
export function noteStorageError(error: unknown): void {
  const full = error instanceof DOMException && error.name === 'QuotaExceededError'
  if (full === isFull) return
  isFull = full
  notify()
}

/** Asks the browser once for storage that it does not delete by itself: unsent sales are paid sales. */
export async function requestPersistentStorage(): Promise<void> {
  if (isRequested || !navigator.storage?.persist) return
  isRequested = true
  isPersistent = await navigator.storage
    .persisted()
    .then((granted) => granted || navigator.storage.persist())
    .catch(() => false)
  notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The problem of this device's storage, as far as known. */
export function useStorageProblem(): StorageProblem | null {
  return useSyncExternalStore(subscribe, storageProblem, () => null)
}
