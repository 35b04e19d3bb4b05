/** Compares two document numbers: negative when the first sorts before the second. */
export type Compare = (a: number, b: number) => number

/** Sorts document numbers. */
export function sortIds(places: Iterable<number>, compare: Compare): Uint32Array {
  return Uint32Array.from(places).sort(compare)
}

/**
 * Updates a sorted list: `old` without the marked numbers, merged with `moved` (marked numbers, sorted). `old` is not changed, so that a
 * request can still read it.
 */
export function mergeSorted(old: Uint32Array, marked: Uint8Array, moved: Uint32Array, compare: Compare): Uint32Array {
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

/** The first index for which `isBefore` is false. It must be true for a prefix of the list only. */
export function lowerBound(places: Uint32Array, isBefore: (place: number) => boolean): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(places[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
