import { WITHDRAWN_CACHE } from '#features/pos/storage-names.ts'

// Keys of sales that left the outbox while the browser could not delete them. They are neither sent nor shown. localStorage has them for
// other tabs and for the page after a reload; without it this tab alone knows them. The service worker, which cannot read localStorage, finds them
// in a cache.

const PREFIX = 'khamar.withdrawn.'
const pathOf = (key: string) => `/withdrawn-sales/${key}`
/** Those of this tab, and whether localStorage has them, too. */
const withdrawn = new Map<string, boolean>()

let marking = Promise.resolve()

/** One change after the other. A browser without caches has no worker. */
function mark(change: (cache: Cache) => Promise<unknown>): void {
  marking = marking.then(async () => void (await change(await caches.open(WITHDRAWN_CACHE)))).catch(() => {})
}

export function withdraw(key: string): void {
  withdrawn.set(key, false)
  mark((cache) => cache.put(pathOf(key), new Response()))
  try {
    localStorage.setItem(PREFIX + key, '')
    withdrawn.set(key, true)
  } catch {
    // Full or forbidden storage.
  }
}

/** The sale is deleted, or was placed again. */
export function endWithdrawal(key: string): void {
  if (withdrawnKeys().has(key)) mark((cache) => cache.delete(pathOf(key)))
  withdrawn.delete(key)
  try {
    localStorage.removeItem(PREFIX + key)
  } catch {
    // Forbidden storage has none.
  }
}

/** The keys in localStorage; null where it is forbidden. */
function storedKeys(): string[] | null {
  try {
    const stored = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX))
    return stored.map((key) => key.slice(PREFIX.length))
  } catch {
    return null
  }
}

/** Those of this tab, which alone deletes them. One that localStorage has no more was placed again in another tab. */
export function withdrawnHere(): ReadonlySet<string> {
  const stored = storedKeys()
  return new Set([...withdrawn].filter(([key, isStored]) => !isStored || (stored?.includes(key) ?? true)).map(([key]) => key))
}

export const withdrawnKeys = (): ReadonlySet<string> => new Set([...withdrawnHere(), ...(storedKeys() ?? [])])
