import { PAGE_CACHE, PAGE_OWNER_KEY } from './storage-names.ts'

/** Deletes the cached POS page at sign-out and when the cashier changes. The service worker would show it offline to the next user. */
export async function clearPosCache(): Promise<void> {
  await globalThis.caches?.delete(PAGE_CACHE)
}

/** Deletes the cached POS page when another user works on this device. The POS page of that user is cached again by its worker. */
export function clearPosCacheOfOthers(userId: number): void {
  try {
    if (localStorage.getItem(PAGE_OWNER_KEY) === String(userId)) return
    localStorage.setItem(PAGE_OWNER_KEY, String(userId))
    void globalThis.caches?.delete(PAGE_CACHE).then(() => navigator.serviceWorker?.controller?.postMessage('claim'))
  } catch {
    // Without storage there is no cached page either.
  }
}
