/** Compares two document numbers: negative when the first sorts before the second. */
export type Compare = (a: number, b: number) => number

/** Sorts document numbers. */
export function sortIds(docs: Iterable<number>, compare: Compare): Uint32Array {
  return Uint32Array.from(docs).sort(compare)
}

/**
 * Updates a sorted list: `old` without the `changed` numbers, merged with `moved` (the changed numbers, sorted). `old` is not changed, so that a
 * request can still read it.
 */
export function mergeSorted(old: Uint32Array, changed: Uint8Array, moved: Uint32Array, compare: Compare): Uint32Array {
  const next = new Uint32Array(old.length + moved.length)
  let count = 0
  let at = 0
  for (const doc of old) {
    if (changed[doc]) continue
    while (at < moved.length && compare(moved[at]!, doc) < 0) next[count++] = moved[at++]!
    next[count++] = doc
  }
  while (at < moved.length) next[count++] = moved[at++]!
  return next.slice(0, count)
}

/** The first index for which `isBefore` is false. It must be true for a prefix of the list only. */
export function lowerBound(docs: Uint32Array, isBefore: (doc: number) => boolean): number {
  let [low, high] = [0, docs.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(docs[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
