import { useRef, useState } from 'react'

type Texts = Readonly<Record<number, string>>

/**
 * The typed texts of quantities by product. They are read from a ref: a scan that ran into a field is undone and moves the focus in one
 * event, and the field must not save the keys of the scan when it loses the focus.
 */
export function useDrafts() {
  const texts = useRef<Texts>({})
  const [, setShown] = useState<Texts>({})
  const [store] = useState(() => {
    const set = (next: Texts) => {
      texts.current = next
      setShown(next)
    }
    return {
      get: (id: number) => texts.current[id],
      has: (id: number) => id in texts.current,
      type: (id: number, text: string) => set({ ...texts.current, [id]: text }),
      end: (id: number) => set(without(texts.current, id)),
      all: () => texts.current,
      restore: set,
    }
  })
  return store
}

/** The record without one entry. */
export function without<Value>(record: Readonly<Record<number, Value>>, id: number): Record<number, Value> {
  const { [id]: _dropped, ...others } = record
  return others
}
