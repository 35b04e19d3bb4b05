// PageRenderer of long lists by key instead of by number: the last page is found as fast as the first, whatever the length.

/** Where a page begins: after or before a row's key, at the beginning, or at the end. Keys are the texts of `cursor`. */
export interface Place {
  backward: boolean
  /** The key of the row next to the page; null: from the end in that direction. */
  from: string[] | null
}

/** Reads the place from a page's address: `?after=`, `?before=`, `?end=1`; anything broken is the beginning. */
export function parseCursor(query: Record<string, string | undefined>, keyLength: number): Place {
  const key = (text: string | undefined) => {
    const parts = text?.slice(0, 300).split('~') ?? []
    return parts.length === keyLength && parts.every((part) => part !== '') ? parts : null
  }
  const [after, before] = [key(query.after), key(query.before)]
  if (after) return { backward: false, from: after }
  if (before) return { backward: true, from: before }
  return { backward: query.end === '1', from: null }
}

/** A page of a list and how to go on from it: what to put into the address, or null where there is no more. */
export interface KeysetPage<Row> {
  rows: Row[]
  prev: Record<string, string> | null
  next: Record<string, string> | null
}

/**
 * The page out of `size + 1` rows that were read from the place in its direction; a row more than the page says that there is more.
 * Rows come back in the list's own order.
 */
export function keysetPage<Row>(found: Row[], place: Place, size: number, cursor: (row: Row) => (string | number)[]): KeysetPage<Row> {
  const hasMore = found.length > size
  const rows = found.slice(0, size)
  if (place.backward) rows.reverse()
  const [first, last] = [rows[0], rows.at(-1)]
  const key = (row: Row) => cursor(row).join('~')
  const beyond = place.backward ? place.from !== null : hasMore
  const ahead = place.backward ? hasMore : place.from !== null
  return {
    rows,
    prev: ahead && first ? { before: key(first) } : null,
    next: beyond && last ? { after: key(last) } : null,
  }
}
