import { type PointerEvent as ReactPointerEvent, useRef, useState } from 'react'

/** A dragged row: source index, target index, distance in pixels. */
interface Drag {
  from: number
  /** Null: outside of the list, where a drop does nothing. */
  to: number | null
  by: number
}

/** Moves an item of a list to another index. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const next = list.slice()
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}

/**
 * Drags the rows of a list by a handle, with mouse, pen or finger. `list` goes onto the element whose children are the rows, `handleOf`
 * onto each row's handle, `rowOf` onto the row.
 */
export function useDragOrder<List extends HTMLElement>(onMove: (from: number, to: number) => void) {
  const list = useRef<List>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const begin = useRef<{ y: number; x: number } | null>(null)

  const handleOf = (index: number) => ({
    style: { touchAction: 'none' as const },
    onPointerDown(event: ReactPointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      begin.current = { x: event.clientX, y: event.clientY }
      setDrag({ from: index, to: index, by: 0 })
    },
    onPointerMove(event: ReactPointerEvent<HTMLElement>) {
      const started = begin.current
      if (!started || !list.current) return
      setDrag({ from: index, to: placeAt(list.current, event.clientX, event.clientY), by: event.clientY - started.y })
    },
    onPointerUp(event: ReactPointerEvent<HTMLElement>) {
      if (!begin.current || !list.current) return
      const to = placeAt(list.current, event.clientX, event.clientY)
      begin.current = null
      setDrag(null)
      if (to !== null && to !== index) onMove(index, to)
    },
    onPointerCancel() {
      begin.current = null
      setDrag(null)
    },
  })

  const rowOf = (index: number) => ({
    'data-dragged': drag?.from === index || undefined,
    'data-drop': drag !== null && drag.to === index && drag.from !== index ? (drag.from < index ? 'below' : 'above') : undefined,
    style: drag?.from === index ? { transform: `translateY(${drag.by}px)` } : undefined,
  })

  return { list, handleOf, rowOf }
}

const BESIDE_PX = 24

/** The index under the pointer. Rows do not move during a drag, so their boxes give it. */
function placeAt(list: HTMLElement, x: number, y: number): number | null {
  const box = list.getBoundingClientRect()
  if (x < box.left - BESIDE_PX || x > box.right + BESIDE_PX || y < box.top - BESIDE_PX || y > box.bottom + BESIDE_PX) return null
  const rows = [...list.children] as HTMLElement[]
  let top = box.top
  for (const [index, row] of rows.entries()) {
    top += row.offsetHeight
    if (y < top) return index
  }
  return rows.length - 1
}
