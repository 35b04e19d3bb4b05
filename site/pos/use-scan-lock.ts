import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { SCAN_LOCK } from '#features/pos/rules.ts'
import { beep } from './beep.ts'
import { continuesBurst, type KeyBurst, withKey } from './key-burst.ts'

/** Locks the scan box for half a second after a scan; scans in that time are rejected and counted. */
export function useScanLock(box: RefObject<HTMLInputElement | null>) {
  const [isLockShown, setLockShown] = useState(false)
  const [rejectedCount, setRejectedCount] = useState(0)
  const isOn = useRef(false)
  const rejected = useRef<KeyBurst | null>(null)
  // React makes the box writable a little later; keys typed until then are lost.
  const isLocked = () => isOn.current || box.current?.readOnly === true
  function reject() {
    beep('rejected')
    setRejectedCount((count) => count + 1)
  }
  return {
    isLockShown,
    rejectedCount,
    isLocked,
    reject,
    /** Whether a key is dropped: a code that began while locked is rejected whole, because its rest might be another valid code. */
    swallows({ key, ctrlKey, metaKey, timeStamp: now }: KeyboardEvent): boolean {
      if ((key !== 'Enter' && key.length > 1) || ctrlKey || metaKey) return false
      const isRejected = isLocked() || continuesBurst(rejected.current, now)
      rejected.current = !isRejected || key === 'Enter' ? null : withKey(rejected.current, key, now)
      if (isRejected && key === 'Enter') reject()
      return isRejected
    },
    begin() {
      isOn.current = true
      setRejectedCount(0)
      setLockShown(true)
      setTimeout(() => {
        isOn.current = false
        setLockShown(false)
      }, SCAN_LOCK)
    },
  }
}
