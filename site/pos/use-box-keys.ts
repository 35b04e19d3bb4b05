import { type RefObject, useEffect, useRef } from 'react'
import { type KeyBurst, withKey } from './key-burst.ts'

/** Keys that a scanner presses between the letters of a code. */
const MODIFIERS = new Set(['Shift', 'CapsLock', 'AltGraph', 'NumLock'])

/** The keys that ran into the scan box in a row, up to Enter: into the box itself, or outside of all fields, from where they go to it. */
export function useBoxKeys(box: RefObject<HTMLInputElement | null>): RefObject<KeyBurst | null> {
  const burst = useRef<KeyBurst | null>(null)
  useEffect(() => {
    let hasEnded = false
    const press = ({ key, timeStamp, repeat, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent) => {
      if (MODIFIERS.has(key)) return
      const target = document.activeElement
      const isElsewhere = target !== box.current && (target instanceof HTMLInputElement || target instanceof HTMLSelectElement)
      if (key === 'Enter') hasEnded = true
      else if (key.length !== 1 || repeat || ctrlKey || altKey || metaKey || isComposing || isElsewhere) burst.current = null
      else {
        burst.current = withKey(hasEnded ? null : burst.current, key, timeStamp)
        hasEnded = false
      }
    }
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [box])
  return burst
}
