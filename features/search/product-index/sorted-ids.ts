/** The order of two places of a shelf: below zero when the first stands before the second. */
export type Compare = (a: number, b: number) => number

/** The same places in an order of theirs. */
export function ordered(places: Iterable<number>, compare: Compare): Uint32Array {
  return Uint32Array.from(places).sort(compare)
}

/**
 * An order after some places have changed: `old` without those that are marked, and `moved` (some of the marked, now ordered) among
 * what is left. The old order stays as it is for whoever reads it.
 */
export function reordered(old: Uint32Array, marked: Uint8Array, moved: Uint32Array, compare: Compare): Uint32Array {
  const next = new Uint32Array(old.length + moved.length)
  let count = 0
  let at = 0
  for (const place of old) {
    if (marked[place]) continue
    while (at < moved.length && compare(moved[at]!, place) < 0) next[count++] = moved[at++]!
    next[count++] = place
  }
  while (at < moved.length) next[count++] = moved[at++]!
  return next.slice(0, count)
}

/** The first index from which on `isBefore` holds no longer; it holds for a beginning of the list only. */
export function boundary(places: Uint32Array, isBefore: (place: number) => boolean): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(places[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
