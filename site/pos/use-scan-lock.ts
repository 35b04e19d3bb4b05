import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { MIN_SCANNED, SCAN_GAP, SCAN_LOCK } from '#features/pos/rules.ts'
import { beep } from './beep.ts'
import { SCANNER_GAP } from './use-scanner.ts'

/** The maximum pause, in milliseconds, inside one scan on a busy device. */
const SLOW_SCAN_GAP = 1000

interface RejectedKeys {
  began: number
  last: number
  count: number
}

const NO_KEYS: RejectedKeys = { began: -Infinity, last: -Infinity, count: 0 }

/** Locks the scan box for half a second after a scan; scans in that time are rejected and counted. */
export function useScanLock(box: RefObject<HTMLInputElement | null>) {
  const [isLockShown, setLockShown] = useState(false)
  const [rejectedCount, setRejectedCount] = useState(0)
  const isOn = useRef(false)
  const rejected = useRef(NO_KEYS)
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
      const before = rejected.current
      const continues = now - before.last <= maxGap(before)
      const isRejected = isLocked() || continues
      if (!isRejected || key === 'Enter') rejected.current = NO_KEYS
      else rejected.current = continues ? { ...before, last: now, count: before.count + 1 } : { began: now, last: now, count: 1 }
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

/** Keys at a scanner's speed belong to one scan, also after a longer pause: a busy device delivers keys late. */
function maxGap({ began, last, count }: RejectedKeys): number {
  const isScanner = count >= MIN_SCANNED && (last - began) / (count - 1) <= SCANNER_GAP
  return isScanner ? SLOW_SCAN_GAP : SCAN_GAP
}
