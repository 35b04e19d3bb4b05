import { WITHDRAWN_CACHE } from '#features/pos/storage-names.ts'

// Keys of sales that left the outbox while the browser could not delete them. They are neither sent nor shown. localStorage has them for
// other tabs and for the page after a reload; without it this tab alone knows them. The service worker, which cannot read localStorage, finds them
// in a cache.

const PREFIX = 'khamar.withdrawn.'
const pathOf = (key: string) => `/withdrawn-sales/${key}`
/** Those of this tab, which alone deletes them: another tab could delete a sale that was placed again meanwhile. */
export const withdrawnHere = new Set<string>()

let marking = Promise.resolve()

/** One change after the other. A browser without caches has no worker. */
function mark(change: (cache: Cache) => Promise<unknown>): void {
  marking = marking.then(async () => void (await change(await caches.open(WITHDRAWN_CACHE)))).catch(() => {})
}

export function withdraw(key: string): void {
  withdrawnHere.add(key)
  mark((cache) => cache.put(pathOf(key), new Response()))
  try {
    localStorage.setItem(PREFIX + key, '')
  } catch {
    // Full or forbidden storage.
  }
}

/** The sale is deleted, or was placed again. */
export function endWithdrawal(key: string): void {
  if (withdrawnKeys().has(key)) mark((cache) => cache.delete(pathOf(key)))
  withdrawnHere.delete(key)
  try {
    localStorage.removeItem(PREFIX + key)
  } catch {
    // Forbidden storage has none.
  }
}

export function withdrawnKeys(): ReadonlySet<string> {
  try {
    const stored = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
    return new Set([...withdrawnHere, ...stored.map((key) => key.slice(PREFIX.length))])
  } catch {
    return withdrawnHere
  }
}
