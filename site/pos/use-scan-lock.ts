import { useRef, useState } from 'react'
import { beep } from './beep.ts'
import { ScanLock } from './scan-lock.ts'

/** Locks the scan box for half a second after a scan; scans in that time are rejected and counted. Times are those of events. */
export function useScanLock() {
  const [isLockShown, setLockShown] = useState(false)
  const [rejectedCount, setRejectedCount] = useState(0)
  const [lock] = useState(() => new ScanLock())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  function reject() {
    beep('rejected')
    setRejectedCount((count) => count + 1)
  }
  return {
    isLockShown,
    rejectedCount,
    isLockedAt: (at: number) => lock.isLockedAt(at),
    reject,
    /** Whether a key is dropped. A key after the lock makes the box writable before the timer does. */
    swallows({ key, ctrlKey, metaKey, timeStamp }: KeyboardEvent, box: HTMLInputElement): boolean {
      if ((key !== 'Enter' && key.length > 1) || ctrlKey || metaKey) return false
      const outcome = lock.press(key, timeStamp)
      if (outcome === 'rejected') reject()
      else if (outcome === 'typed' && box.readOnly) {
        box.readOnly = false
        setLockShown(false)
      }
      return outcome !== 'typed'
    },
    /** `onEnd` runs in the render that shows the end of the lock. */
    begin(at: number, onEnd: () => void) {
      lock.begin(at)
      setRejectedCount(0)
      setLockShown(true)
      clearTimeout(timer.current)
      const end = () => {
        setLockShown(false)
        onEnd()
      }
      timer.current = setTimeout(end, Math.max(0, lock.endsAt - performance.now()))
    },
  }
}
