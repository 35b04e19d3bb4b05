// Keyset pagination: pages are found by the key of a row instead of an offset, so the last page is as fast as the first.

/** Where a page starts: after or before a key, at the start of the list, or at its end. Keys are the texts of `keyOf`. */
export interface KeysetCursor {
  backward: boolean
  /** The key of the row next to the page; null: the page is the first of the list, with `backward` the last. */
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

/** Lists count the rows that a filter finds up to this number; more are shown as more. */
export const MAX_COUNTED = 1000

/** The rows per page that lists offer. */
export const PAGE_SIZES = [25, 50, 100] as const
export type PageSize = (typeof PAGE_SIZES)[number]

/** What a page of a list shows: the cursor, the sort order and the size. Absent ones are the list's own. */
export interface ListView<Sort extends string = string> extends KeysetCursor {
  sort?: Sort
  order?: SortOrder
  size?: number
}
export type SortOrder = 'asc' | 'desc'

/** The sort orders of a list: the first is its own, and each has the number of parts of its cursor. */
export type ListSorts<Sort extends string> = Readonly<Record<Sort, { keys: number; order: SortOrder }>>

/** The one order of a log, in both directions. */
export const LOG_SORTS = { new: { keys: 1, order: 'desc' } } as const satisfies ListSorts<'new'>
export type LogView = ListView<keyof typeof LOG_SORTS>

/** Reads `?sort=`, `?order=`, `?rows=` and the cursor of a URL. An unknown sort, order or size is the list's own. */
export function readListView<Sort extends string>(
  query: Record<string, string | undefined>,
  sorts: ListSorts<Sort>,
  size: PageSize,
): Required<ListView<Sort>> {
  const names = Object.keys(sorts) as [Sort, ...Sort[]]
  const sort = names.find((name) => name === query.sort) ?? names[0]
  const order = query.order === 'asc' || query.order === 'desc' ? query.order : sorts[sort].order
  return { ...parseCursor(query, sorts[sort].keys), sort, order, size: readPageSize(query, size) }
}

/** Reads `?rows=`; another number than those offered is `size`. */
export function readPageSize(query: Record<string, string | undefined>, size: PageSize): PageSize {
  return PAGE_SIZES.find((one) => String(one) === query.rows) ?? size
}

/** Whether the rows are read in ascending order. A page before a cursor is read against the order of the list. */
export function isAscending({ order = 'desc', backward }: Pick<ListView, 'order' | 'backward'>): boolean {
  return (order === 'asc') !== backward
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

const BATCH = 500

/**
 * Reads a whole list in batches, in the order of the view. Each batch is a page of its own, so that memory stays constant and no connection
 * waits for a slow reader. A row that moves to another place in the meantime may be missing or come twice.
 */
export async function* readPages<Row, View extends ListView>(
  view: View,
  read: (view: View) => Promise<KeysetPage<Row>>,
): AsyncGenerator<Row[]> {
  let from: string[] | null = null
  do {
    const { rows, next }: KeysetPage<Row> = await read({ ...view, backward: false, from, size: BATCH })
    yield rows
    from = next?.after?.split('~') ?? null
  } while (from)
}
