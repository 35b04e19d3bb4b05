/** The address with some query values changed; null takes one away. */
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

/** Query names of the page cursor, removed when filter or order change. */
export const FIRST_PAGE = { page: null, after: null, before: null, end: null }
