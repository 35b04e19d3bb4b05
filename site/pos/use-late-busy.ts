import { useRef, useState } from 'react'

/** Shorter waits are not shown: on a slow device rendering them would take a fifth of a sale's time. */
const SHOW_AFTER_MS = 150

/** Whether something runs that has taken a while. */
export function useLateBusy() {
  const [busy, setBusy] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const begin = () => (timer.current = setTimeout(setBusy, SHOW_AFTER_MS, true))
  const end = () => {
    clearTimeout(timer.current)
    setBusy(false)
  }
  return { busy, begin, end }
}
