import { useEffect } from 'react'
import { IDLE_MINUTES } from '#features/auth/lock-rules.ts'
import { call } from '#page/api-client.ts'
import { trackUse, unusedMs } from './device-use.ts'

const CHECK_MS = 30_000

/** Locks the session on the server once no tab was used for `IDLE_MINUTES`. Without network nothing locks: the POS sells on. */
export function useIdleLock(isActive: boolean, onLocked: () => void): void {
  // Also while nothing locks: idle sessions of other roles end, unless the device is used.
  useEffect(trackUse, [isActive])
  useEffect(() => {
    if (!isActive) return
    const check = async () => {
      if (unusedMs() < IDLE_MINUTES * 60_000) return
      const answer = await call('/account/lock', { method: 'POST', body: {} })
      if (answer.ok) onLocked()
    }
    const timer = setInterval(check, CHECK_MS)
    return () => clearInterval(timer)
  }, [isActive, onLocked])
}
