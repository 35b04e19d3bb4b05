const OWNER = 'khamar.till.owner'

/** Deletes the cached POS page at sign-out. The service worker would show it offline to the next user. */
export function clearPosCache(): void {
  void globalThis.caches?.delete('khamar-till-page')
}

/** Deletes the cached POS page when another user works on this device. */
export function clearPosCacheOfOthers(userId: number): void {
  try {
    if (localStorage.getItem(OWNER) === String(userId)) return
    localStorage.setItem(OWNER, String(userId))
    clearPosCache()
  } catch {
    // Without storage there is no cached page either.
  }
}
