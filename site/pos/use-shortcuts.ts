import { useEffect, useLayoutEffect, useRef } from 'react'

/** Function keys that work wherever the focus is. */
export function usePosKeys(fields: Record<string, string>, actions: Record<string, () => void>) {
  const latest = useRef({ fields, actions })
  // A layout effect: a key pressed after the screen shows a sale must act on that sale.
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
