// Keyset pagination: pages are found by the key of a row instead of an offset, so the last page is as fast as the first.

/** Where a page starts: after or before a key, at the start of the list, or at its end. Keys are the texts of `keyOf`. */
export interface KeysetCursor {
  backward: boolean
  /** The key of the row next to the page; null starts at the end of the list in that direction. */
  from: string[] | null
}

/** Reads the cursor of a URL: `?after=`, `?before=`, `?end=1`. An invalid one is the start of the list. */
export function parseCursor(query: Record<string, string | undefined>, keyLength: number): KeysetCursor {
  const key = (text: string | undefined) => {
    const parts = text?.slice(0, 300).split('~') ?? []
    return parts.length === keyLength && parts.every((part) => part !== '') ? parts : null
  }
  const [after, before] = [key(query.after), key(query.before)]
  if (after) return { backward: false, from: after }
  if (before) return { backward: true, from: before }
  return { backward: query.end === '1', from: null }
}

/** One page of a list, with the query parameters of the previous and the next page; null where there is none. */
export interface KeysetPage<Row> {
  rows: Row[]
  prev: Record<string, string> | null
  next: Record<string, string> | null
}

/**
 * Makes a page of up to `size + 1` rows that were read from the cursor in its direction. One row more than `size` means that there is
 * another page. The rows of the page are in the order of the list.
 */
export function keysetPage<Row>(
  found: Row[],
  cursor: KeysetCursor,
  size: number,
  keyOf: (row: Row) => (string | number)[],
): KeysetPage<Row> {
  const hasMore = found.length > size
  const rows = found.slice(0, size)
  if (cursor.backward) rows.reverse()
  const [first, last] = [rows[0], rows.at(-1)]
  const key = (row: Row) => keyOf(row).join('~')
  const beyond = cursor.backward ? cursor.from !== null : hasMore
  const ahead = cursor.backward ? hasMore : cursor.from !== null
  return {
    rows,
    prev: ahead && first ? { before: key(first) } : null,
    next: beyond && last ? { after: key(last) } : null,
  }
}
