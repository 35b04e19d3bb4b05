import { useEffect, useLayoutEffect, useRef } from 'react'
import { SCAN_LOCK } from '#features/pos/rules.ts'

interface EarlyScanOptions {
  onScan: (code: string) => void
  /** The scan came within the scan lock of the one before. */
  onReject: () => void
}

/**
 * Repeats the scans that server/page/bootstrap-script.ts collected before hydration. The scan lock applies to the times at which they were
 * made; the box itself is not used, so that a scan that is being typed meanwhile stays whole.
 */
export function useEarlyScans(options: EarlyScanOptions): void {
  const latest = useRef(options)
  useLayoutEffect(() => void (latest.current = options))
  useEffect(() => {
    const repeat = () => {
      const { onScan, onReject } = latest.current
      let accepted = -Infinity
      for (const [code, at] of window.earlyScans?.splice(0) ?? []) {
        if (at - accepted < SCAN_LOCK) onReject()
        else {
          accepted = at
          onScan(code)
        }
      }
    }
    // Set by site/hydrate.tsx, after all effects of the page.
    if (window.pageAwake) return repeat()
    addEventListener('khamar:awake', repeat, { once: true })
    return () => removeEventListener('khamar:awake', repeat)
  }, [])
}
