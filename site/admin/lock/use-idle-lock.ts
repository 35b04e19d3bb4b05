import { useEffect } from 'react'
import { IDLE_MINUTES } from '#features/auth/lock-rules.ts'
import { call } from '#page/api-client.ts'

const ACTIVE_AT = 'khamar.active-at'
const CHECK_MS = 30_000
/** The last use is written down at most this often. */
const WRITE_MS = 10_000

/** The last use of the device in any tab, in milliseconds. */
function lastUse(own: number): number {
  try {
    return Math.max(own, Number(localStorage.getItem(ACTIVE_AT)) || 0)
  } catch {
    return own
  }
}

/** Locks the session on the server once no tab was used for `IDLE_MINUTES`. Without network nothing locks: the POS sells on. */
export function useIdleLock(isActive: boolean, onLocked: () => void): void {
  useEffect(() => {
    if (!isActive) return
    let own = Date.now()
    let written = 0
    const use = () => {
      own = Date.now()
      if (own - written < WRITE_MS) return
      written = own
      try {
        localStorage.setItem(ACTIVE_AT, String(own))
      } catch {
        // Forbidden storage: the tab counts for itself.
      }
    }
    const check = async () => {
      if (Date.now() - lastUse(own) < IDLE_MINUTES * 60_000) return
      const answer = await call('/account/lock', { method: 'POST', body: {} })
      if (answer.ok) onLocked()
    }
    use()
    const timer = setInterval(check, CHECK_MS)
    const events = ['pointerdown', 'keydown'] as const
    for (const event of events) window.addEventListener(event, use, { passive: true, capture: true })
    return () => {
      clearInterval(timer)
      for (const event of events) window.removeEventListener(event, use, { capture: true })
    }
  }, [isActive, onLocked])
}
