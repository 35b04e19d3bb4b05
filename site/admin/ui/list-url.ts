import { useEffect, useState } from 'react'
import { localPath } from '#lib/http/local-path.ts'
import { parseUrl } from '#lib/http/parse-url.ts'
import { usePageContext } from '#page/page-context.tsx'

// The URL that leads back from a record to its list: the list as this tab showed it last, with filters and page.
//
// Rows contain no return URL, because their HTML is cached for all readers. A record opened from the list knows it from
// `document.referrer`, also in a new tab and after a reload. Any other record takes the list's last query from `sessionStorage`.

const keyOf = (userId: number | undefined, base: string) => `list:${userId ?? 0}:${base}`

/** The list's URL with its last query; without query for anything else than a query of this list. */
export function listUrl(base: string, { referrer, stored, origin }: { referrer: string; stored: string | null; origin: string }): string {
  const from = parseUrl(referrer)
  const search = from?.origin === origin && from.pathname === base ? from.search : (stored ?? '')
  if (!search.startsWith('?')) return base
  const href = localPath(base + search, base)
  return href.startsWith(`${base}?`) ? href : base
}

/** Stores the query of a list page for this tab, each time the page is shown. */
export function useStoredList(isList: boolean): void {
  const userId = usePageContext().user?.id
  useEffect(() => {
    if (!isList) return
    const store = () => {
      try {
        sessionStorage.setItem(keyOf(userId, location.pathname), location.search)
      } catch {
        // Without storage a record leads back to the bare list.
      }
    }
    store()
    // A page from the back-forward cache runs no effects.
    window.addEventListener('pageshow', store)
    return () => window.removeEventListener('pageshow', store)
  }, [isList, userId])
}

/** Where a link back to the list at `base` leads: its last filters and page, once the page has hydrated. */
export function useListUrl(base: string): string {
  const userId = usePageContext().user?.id
  const [href, setHref] = useState(base)
  useEffect(() => setHref(location.pathname === base ? base : readListUrl(base, userId)), [base, userId])
  return href
}

function readListUrl(base: string, userId: number | undefined): string {
  let stored: string | null = null
  try {
    stored = sessionStorage.getItem(keyOf(userId, base))
  } catch {
    // The referrer may still know it.
  }
  return listUrl(base, { referrer: document.referrer, stored, origin: location.origin })
}
