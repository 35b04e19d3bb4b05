import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { SCAN_GAP } from '#features/pos/rules.ts'
import { isScan, type KeyBurst } from './key-burst.ts'

interface Burst extends KeyBurst {
  field: Element
}

interface ScannerOptions {
  box: RefObject<HTMLInputElement | null>
  /** Keys that may be a scan begin: remember the fields, to restore them if it is one. */
  onBegin: () => void
  /** A scan was typed into a field other than the box. */
  onScan: (text: string, at: number) => void
}

/** Detects scans wherever the focus is. Keys outside of all fields go to the box; a scan into another field is reported and undone. */
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
        if (isField && burst?.field === target && isScan(burst, now)) {
          event.preventDefault()
          event.stopPropagation()
          onScan(burst.text, now)
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
