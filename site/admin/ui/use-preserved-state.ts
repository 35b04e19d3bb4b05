import { useEffect, useRef, useState } from 'react'

const preserved = new Map<string, unknown>()

/**
 * State of a dialog that survives its closing: typed values are restored when the dialog of that name opens again on the same page. An open
 * dialog takes them along to a new name, as after a conflict, where the name has the version. `reset` resets it, after the values were sent.
 */
export function usePreservedState<Value>(name: string, initial: Value): [value: Value, set: (value: Value) => void, reset: () => void] {
  const [value, setValue] = useState(() => (preserved.has(name) ? (preserved.get(name) as Value) : initial))
  const isTyped = useRef(preserved.has(name))
  useEffect(() => {
    if (isTyped.current) preserved.set(name, value)
    // `set` stores each later value.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [name])
  const set = (next: Value) => {
    isTyped.current = true
    preserved.set(name, next)
    setValue(next)
  }
  const reset = () => {
    isTyped.current = false
    preserved.delete(name)
    setValue(initial)
  }
  return [value, set, reset]
}
