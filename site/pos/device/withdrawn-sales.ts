// Keys of sales that left the outbox while the browser could not delete them. They are neither sent nor shown. localStorage has them for
// other tabs and for the page after a reload; without it this tab alone knows them.

const PREFIX = 'khamar.withdrawn.'
/** Those of this tab, which alone deletes them: another tab could delete a sale that was placed again meanwhile. */
export const withdrawnHere = new Set<string>()

export function withdraw(key: string): void {
  withdrawnHere.add(key)
  try {
    localStorage.setItem(PREFIX + key, '')
  } catch {
    // Full or forbidden storage.
  }
}

/** The sale is deleted, or was placed again. */
export function endWithdrawal(key: string): void {
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
