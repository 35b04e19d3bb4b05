import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { MIN_SCANNED, SCAN_GAP, SCAN_LOCK } from '#features/pos/rules.ts'
import { beep } from './beep.ts'
import { SCANNER_GAP } from './use-scanner.ts'

/** The longest pause, in milliseconds, inside one scan on a busy device. */
const SLOW_SCAN_GAP = 1000

interface RejectedKeys {
  began: number
  last: number
  count: number
}

const NO_KEYS: RejectedKeys = { began: -Infinity, last: -Infinity, count: 0 }

/** After a scan nothing is taken for half a second; what came meanwhile is counted and said. */
export function useScanLock(box: RefObject<HTMLInputElement | null>) {
  const [locked, setLocked] = useState(false)
  const [refused, setRefused] = useState(0)
  const isOn = useRef(false)
  const rejected = useRef(NO_KEYS)
  // The box follows a moment later, and until then loses what is typed.
  const isLocked = () => isOn.current || box.current?.readOnly === true
  function refuse() {
    beep('refused')
    setRefused((count) => count + 1)
  }
  return {
    locked,
    refused,
    isLocked,
    refuse,
    /** A code that began while the box was locked is rejected whole: its other half might be the code of something else. */
    swallows({ key, ctrlKey, metaKey, timeStamp: now }: KeyboardEvent): boolean {
      if ((key !== 'Enter' && key.length > 1) || ctrlKey || metaKey) return false
      const before = rejected.current
      const continues = now - before.last <= maxGap(before)
      const isOurs = isLocked() || continues
      if (!isOurs || key === 'Enter') rejected.current = NO_KEYS
      else rejected.current = continues ? { ...before, last: now, count: before.count + 1 } : { began: now, last: now, count: 1 }
      if (isOurs && key === 'Enter') refuse()
      return isOurs
    },
    begin() {
      isOn.current = true
      setRefused(0)
      setLocked(true)
      setTimeout(() => {
        isOn.current = false
        setLocked(false)
      }, SCAN_LOCK)
    },
  }
}

/** Keys at a scanner's speed belong to one scan, also after a longer pause: a busy device delivers keys late. */
function maxGap({ began, last, count }: RejectedKeys): number {
  const isScanner = count >= MIN_SCANNED && (last - began) / (count - 1) <= SCANNER_GAP
  return isScanner ? SLOW_SCAN_GAP : SCAN_GAP
}
