import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { BoxKeys } from './box-keys.ts'

/** The keys that run into the scan box; `isDropped` says which of them the scan lock drops. */
export function useBoxKeys(
  box: RefObject<HTMLInputElement | null>,
  isDropped: (event: KeyboardEvent, box: HTMLInputElement) => boolean,
): BoxKeys {
  const [keys] = useState(() => new BoxKeys(() => box.current))
  const latest = useRef(isDropped)
  useLayoutEffect(() => void (latest.current = isDropped))
  useEffect(() => {
    const press = (event: KeyboardEvent) => keys.press(event, latest.current)
    // Text that comes in another way follows the keys before it.
    const show = () => keys.show()
    // React would look for listeners of each released key.
    const release = (event: KeyboardEvent) => document.activeElement === box.current && event.stopPropagation()
    document.addEventListener('keydown', press, { capture: true })
    document.addEventListener('keyup', release, { capture: true })
    for (const type of EVENTS) document.addEventListener(type, show, { capture: true })
    return () => {
      keys.drop()
      document.removeEventListener('keydown', press, { capture: true })
      document.removeEventListener('keyup', release, { capture: true })
      for (const type of EVENTS) document.removeEventListener(type, show, { capture: true })
    }
  }, [box, keys])
  return keys
}

const EVENTS = ['pointerdown', 'compositionstart', 'paste', 'drop'] as const
