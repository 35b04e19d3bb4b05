import { useState } from 'react'

const preserved = new Map<string, unknown>()

/** Stores typed values for a dialog of that name, which restores them when it opens. */
export function preserve(name: string, value: unknown): void {
  preserved.set(name, value)
}

/**
 * State of a dialog that survives its closing: typed values are restored when the dialog of that name opens again on the same page.
 * `reset` resets it, after the values were sent.
 */
export function usePreservedState<Value>(name: string, initial: Value): [value: Value, set: (value: Value) => void, reset: () => void] {
  const [value, setValue] = useState(() => (preserved.has(name) ? (preserved.get(name) as Value) : initial))
  const set = (next: Value) => {
    preserve(name, next)
    setValue(next)
  }
  const reset = () => {
    preserved.delete(name)
    setValue(initial)
  }
  return [value, set, reset]
}
