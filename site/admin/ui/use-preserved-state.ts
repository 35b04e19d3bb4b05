import { useState } from 'react'

const kept = new Map<string, unknown>()

/**
 * State of a dialog that outlives its closing: what was typed before Escape or the cross is there again when the dialog of that name is
 * opened next on the page. The third thing forgets it, for when it has been sent.
 */
export function usePreservedState<Value>(name: string, initial: Value): [value: Value, set: (value: Value) => void, forget: () => void] {
  const [value, setValue] = useState(() => (kept.has(name) ? (kept.get(name) as Value) : initial))
  const set = (next: Value) => {
    kept.set(name, next)
    setValue(next)
  }
  const forget = () => {
    kept.delete(name)
    setValue(initial)
  }
  return [value, set, forget]
}
