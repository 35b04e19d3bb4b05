import { BACKGROUND_HEADER } from '#lib/http/background-header.ts'

// When this device was last used, in any of its tabs.

const ACTIVE_AT = 'khamar.active-at'
/** The last use is written down at most this often. */
const WRITE_MS = 10_000
/** Longer than the time between two calls that a page makes by itself, so that one of them counts for each use. */
const IN_USE_MS = 90_000

let own = 0
let written = 0

function noteUse(): void {
  own = Date.now()
  if (Math.abs(own - written) < WRITE_MS) return
  written = own
  try {
    localStorage.setItem(ACTIVE_AT, String(own))
  } catch {
    // Forbidden storage: the tab counts for itself.
  }
}

/** Notes presses and keys of this tab until the returned function is called. Opening the page is a use. */
export function trackUse(): () => void {
  noteUse()
  const events = ['pointerdown', 'keydown'] as const
  for (const event of events) window.addEventListener(event, noteUse, { passive: true, capture: true })
  return () => {
    for (const event of events) window.removeEventListener(event, noteUse, { capture: true })
  }
}

/** The time since the last use in any tab. A time in the future is of a clock that was set back since, and does not count. */
export function unusedMs(): number {
  const now = Date.now()
  const uses = [own, storedUse()].filter((at) => at <= now)
  return now - Math.max(0, ...uses)
}

function storedUse(): number {
  try {
    return Number(localStorage.getItem(ACTIVE_AT)) || 0
  } catch {
    return 0
  }
}

/** Headers of a call that the page makes by itself. On an unused device it must not keep the session open. */
export function backgroundHeaders(): Record<string, string> {
  return unusedMs() < IN_USE_MS ? {} : { [BACKGROUND_HEADER]: '1' }
}
