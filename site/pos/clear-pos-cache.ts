const OWNER = 'khamar.till.owner'

/** Whoever signs out leaves no page of his on this device: the till's worker would show it without network. */
export function clearPosCache(): void {
  void globalThis.caches?.delete('khamar-till-page')
}

/** Somebody else than the page was kept for is at work on this device: it goes. */
export function clearPosCacheOfOthers(userId: number): void {
  try {
    if (localStorage.getItem(OWNER) === String(userId)) return
    localStorage.setItem(OWNER, String(userId))
    clearPosCache()
  } catch {
    // Forbidden storage keeps no page either.
  }
}
