/** The URL with changed query parameters; null removes one. */
export function withQuery(path: string, changes: Record<string, string | null>): string {
  const [pathname = '', search = ''] = path.split('?')
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? pathname : `${pathname}?${text}`
}

/** Query parameters of the order and size of a list, which do not filter it. */
export const VIEW_NAMES = ['sort', 'order', 'sort_column', 'sort_order', 'rows']

/** Whether a query filters its list. Order, size and page do not. */
export function hasFilters(query: Record<string, string | undefined>): boolean {
  return Object.keys(query).some((name) => query[name] && !VIEW_NAMES.includes(name) && !(name in FIRST_PAGE))
}

/** Query names of the page cursor, removed when filter or order change. */
export const FIRST_PAGE = { page: null, after: null, before: null, end: null }
