import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react'
import { type ListingQuery, listingPath, parseListingQuery } from '#features/catalog/listing-query-rules.ts'
import type { ListingJson } from '#features/catalog/types.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

/** Where a list lives (`/beef`) and where its pages are fetched. */
export interface ListingSource {
  path: string
  api: '/api/products' | '/api/kurbani-cows'
  /** Sent as `category_name`; left out for everything. */
  category: string | null
}

export type ListingState = 'ready' | 'loading' | 'failed'

/** The call for a page of a list. */
export function listingCall(source: ListingSource, query: ListingQuery, lang: string): string {
  const params = new URLSearchParams()
  if (source.category) params.set('category_name', source.category)
  params.set('minPrice', String(query.minPrice))
  params.set('maxPrice', String(query.maxPrice))
  if (query.sort) params.set('sort', query.sort)
  for (const field of ['status', 'search', 'breed', 'sex', 'teeth', 'coat'] as const) {
    const value = query[field]
    if (value !== null && value !== '') params.set(field, String(value))
  }
  params.set('page', String(query.page))
  params.set('lang', lang)
  return `${source.api}?${params}`
}

/** Of a repeated filter the first value counts, as on the server. */
const queryOfAddress = (): ListingQuery => parseListingQuery(Object.fromEntries([...new URLSearchParams(location.search)].reverse()))

/**
 * The state of a list whose query is in the URL. Links load the list without loading a page, Back and Forward restore lists from a cache,
 * and a failed load can be repeated. The first list comes with the page.
 */
export function useListing(source: ListingSource, initial: { listing: ListingJson; query: ListingQuery }) {
  const { lang } = useI18n()
  const [shown, setShown] = useState({ ...initial, state: 'ready' as ListingState })
  const address = useCallback((query: ListingQuery) => listingPath(source.path, query), [source.path])
  const current = useRef(address(initial.query))
  const known = useRef<Map<string, ListingJson>>(null)
  known.current ??= new Map([[current.current, initial.listing]])

  const fetchInto = useCallback(
    async function load(query: ListingQuery): Promise<void> {
      const target = address(query)
      current.current = target
      setShown((before) => ({ ...before, query, state: 'loading' }))
      const answer = await call<ListingJson | null>(listingCall(source, query, lang))
      // Another page was requested meanwhile.
      if (current.current !== target) return
      if (!answer.ok || !answer.body) return setShown((before) => ({ ...before, query, state: 'failed' }))
      const { total, lastPage } = answer.body.pagination
      // The list became shorter: its last page, as when the page is loaded.
      if (total && query.page > lastPage) {
        const last = { ...query, page: lastPage }
        history.replaceState(null, '', address(last))
        return load(last)
      }
      known.current?.set(target, answer.body)
      setShown({ listing: answer.body, query, state: 'ready' })
    },
    [address, lang, source],
  )

  useEffect(() => {
    const onPopState = () => {
      const query = queryOfAddress()
      const target = address(query)
      if (target === current.current) return
      const cached = known.current?.get(target)
      if (!cached) return void fetchInto(query)
      current.current = target
      setShown({ listing: cached, query, state: 'ready' })
    }
    addEventListener('popstate', onPopState)
    return () => removeEventListener('popstate', onPopState)
  }, [address, fetchInto])

  /** Goes to another query of this list, as following its link would. */
  const go = (query: ListingQuery, event?: MouseEvent) => {
    if (event && (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return
    event?.preventDefault()
    if (address(query) !== current.current) history.pushState(null, '', address(query))
    void fetchInto(query)
  }
  return { ...shown, address, go, again: () => void fetchInto(shown.query) }
}
