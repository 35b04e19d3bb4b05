import { parseCompared } from '#features/catalog/compare-rules.ts'
import { COMPARED_KEY } from './compare-key.ts'

/** The compared animals of this device. Without storage they last as long as the page. */
let ids: number[] = []

export function readCompared(): number[] {
  try {
    ids = parseCompared(localStorage.getItem(COMPARED_KEY))
  } catch {}
  return ids
}

export function writeCompared(next: readonly number[]): void {
  ids = [...next]
  try {
    if (next.length === 0) localStorage.removeItem(COMPARED_KEY)
    else localStorage.setItem(COMPARED_KEY, next.join(','))
  } catch {}
}
