import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { MIN_SCANNED, SCAN_GAP } from '#features/pos/rules.ts'

// A scanner types faster than anybody; many digits in a row at a person's speed are one as well.
export const SCANNER_GAP = 60
const SURELY_SCANNED = 6

interface Burst {
  text: string
  field: Element | null
  began: number
  last: number
}

interface ScannerOptions {
  box: RefObject<HTMLInputElement | null>
  /** A scan begins, perhaps: what stands in the fields now comes back if it is one. */
  onBegin: () => void
  /** A scan ended in another field than the box. */
  onScan: (text: string) => void
}

/**
 * Hears a scanner wherever the focus is. Keys typed outside of all fields go to the box; a scan that ran into another field is
 * taken out of it again.
 */
export function useScanner(options: ScannerOptions): void {
  const latest = useRef(options)
  useLayoutEffect(() => void (latest.current = options))
  useEffect(() => {
    let burst: Burst | null = null
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || document.querySelector('dialog[open]')) return
      const { box, onBegin, onScan } = latest.current
      const target = document.activeElement
      if (target === box.current) return void (burst = null)
      const isField = target instanceof HTMLInputElement && target.type !== 'checkbox'
      const { timeStamp: now, key } = event
      if (key === 'Enter') {
        if (isField && isScan(burst, target, now)) {
          event.preventDefault()
          event.stopPropagation()
          onScan(burst!.text)
        }
        burst = null
      } else if (key.length === 1 && isField) {
        if (burst && burst.field === target && now - burst.last <= SCAN_GAP) burst = { ...burst, text: burst.text + key, last: now }
        else {
          burst = { text: key, field: target, began: now, last: now }
          onBegin()
        }
      } else if (key.length === 1 && key !== ' ' && !(target instanceof HTMLSelectElement)) box.current?.focus()
    }
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [])
}

function isScan(burst: Burst | null, field: Element, now: number): boolean {
  if (!burst || burst.field !== field || now - burst.last > SCAN_GAP || burst.text.length < MIN_SCANNED) return false
  return burst.text.length >= SURELY_SCANNED || (burst.last - burst.began) / (burst.text.length - 1) <= SCANNER_GAP
}
