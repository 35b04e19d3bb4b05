import { useEffect, useRef } from 'react'

/** True while a field or a dialog handles the keys. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null
  if (document.querySelector('dialog[open]')) return true
  return target !== null && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !isTickBox(target)
}

function isTickBox(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio')
}

/** Calls the handler of a key (`KeyboardEvent.key`) pressed outside of fields and dialogs. */
export function usePageKeys(handlers: Record<string, (event: KeyboardEvent) => void>): void {
  const latest = useRef(handlers)
  useEffect(() => void (latest.current = handlers))
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event)) return
      const handler = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (handler) handler(event)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
