import { useEffect, useLayoutEffect, useRef } from 'react'

/** Keys that work wherever the focus is. */
export function useTillKeys(fields: Record<string, string>, onPlace: () => void) {
  const latest = useRef({ fields, onPlace })
  // Before the screen shows it: a key pressed at sight of a sale is for that sale.
  useLayoutEffect(() => void (latest.current = { fields, onPlace }))
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]') || event.ctrlKey || event.altKey || event.metaKey) return
      const field = latest.current.fields[event.key]
      if (field) document.getElementById(field)?.focus()
      else if (event.key === 'F9') latest.current.onPlace()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
