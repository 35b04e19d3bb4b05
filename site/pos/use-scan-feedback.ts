import { useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { SCAN_LOCK, TOAST_TIME } from '#features/pos/rules.ts'
import { beep } from './beep.ts'

/** The result of the last scan. */
export interface ScanFeedback {
  kind: 'accepted' | 'rejected'
  text: string
  /** Differs from the result before, which may have the same text. */
  key: number
}

/** Reports scans by sound, colour and text; `flash` is set for the time of the scan lock, or until `endFlash`. */
export function useScanFeedback() {
  const [feedback, setFeedback] = useState<ScanFeedback | null>(null)
  const [flash, setFlash] = useState<ScanFeedback['kind'] | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  function endFlash() {
    clearTimeout(timer.current)
    setFlash(null)
  }
  function notify(kind: ScanFeedback['kind'], text: string) {
    beep(kind)
    setFeedback((before) => ({ kind, text, key: (before?.key ?? 0) + 1 }))
    setFlash(kind)
    clearTimeout(timer.current)
    timer.current = setTimeout(endFlash, SCAN_LOCK)
    if (kind === 'rejected') showToast(text, { kind: 'error', milliseconds: TOAST_TIME })
  }
  return { feedback, flash, notify, endFlash, clearFeedback: () => setFeedback(null) }
}
