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

const SINGLE_KEYS = 'khamar.single-keys'

/** Whether letters and signs alone are shortcuts on this device. Speech input and unsteady hands press them without wanting to. */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(SINGLE_KEYS) !== 'off'
  } catch {
    return true
  }
}

export function setSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(SINGLE_KEYS)
    else localStorage.setItem(SINGLE_KEYS, 'off')
  } catch {
    // Without storage they stay on.
  }
}

/** Calls the handler of a key (`KeyboardEvent.key`) pressed outside of fields and dialogs. */
export function usePageKeys(handlers: Record<string, (event: KeyboardEvent) => void>): void {
  const latest = useRef(handlers)
  useEffect(() => void (latest.current = handlers))
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event)) return
      if (event.key.length === 1 && !hasSingleKeys()) return
      const handler = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (handler) handler(event)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
