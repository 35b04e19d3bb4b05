import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { SCAN_GAP, SCAN_LOCK } from '#features/pos/rules.ts'
import { beep } from './beep.ts'

/** After a scan nothing is taken for half a second; what came meanwhile is counted and said. */
export function useScanLock(box: RefObject<HTMLInputElement | null>) {
  const [locked, setLocked] = useState(false)
  const [refused, setRefused] = useState(0)
  const isOn = useRef(false)
  const swallowedAt = useRef(-Infinity)
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
    /** A code that began while the box was locked is refused whole: its other half might be the code of something else. */
    swallows({ key, ctrlKey, metaKey, timeStamp: now }: KeyboardEvent): boolean {
      if ((key !== 'Enter' && key.length > 1) || ctrlKey || metaKey) return false
      const isOurs = isLocked() || now - swallowedAt.current <= SCAN_GAP
      swallowedAt.current = isOurs && key !== 'Enter' ? now : -Infinity
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
