import { useEffect, useLayoutEffect, useRef } from 'react'

/** Keys that work wherever the focus is. */
export function usePosKeys(fields: Record<string, string>, actions: Record<string, () => void>) {
  const latest = useRef({ fields, actions })
  // Before the screen shows it: a key pressed at sight of a sale is for that sale.
  useLayoutEffect(() => void (latest.current = { fields, actions }))
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]') || event.ctrlKey || event.altKey || event.metaKey) return
      const field = latest.current.fields[event.key]
      const act = latest.current.actions[event.key]
      if (field) document.getElementById(field)?.focus()
      else if (act) act()
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
