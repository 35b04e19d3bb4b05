import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react'
import { type ListingQuery, listingAddress, parseListingQuery } from '#features/catalog/listing-query-rules.ts'
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
  if (query.status) params.set('status', query.status)
  params.set('page', String(query.page))
  params.set('lang', lang)
  return `${source.api}?${params}`
}

const queryOfAddress = (): ListingQuery => parseListingQuery(Object.fromEntries(new URLSearchParams(location.search)))

/**
 * A list that follows its address: links fetch instead of loading a page, Back and Forward restore what was there, and a list that
 * did not arrive can be asked for again. The server's own rendering is the start.
 */
export function useListing(source: ListingSource, initial: { listing: ListingJson; query: ListingQuery }) {
  const { lang } = useI18n()
  const [shown, setShown] = useState({ ...initial, state: 'ready' as ListingState })
  const address = useCallback((query: ListingQuery) => listingAddress(source.path, query), [source.path])
  const asked = useRef(address(initial.query))
  const known = useRef<Map<string, ListingJson>>(null)
  known.current ??= new Map([[asked.current, initial.listing]])

  const fetchInto = useCallback(
    async (query: ListingQuery) => {
      const wanted = address(query)
      asked.current = wanted
      setShown((before) => ({ ...before, query, state: 'loading' }))
      const answer = await call<ListingJson | null>(listingCall(source, query, lang))
      // Another page was asked for meanwhile.
      if (asked.current !== wanted) return
      if (!answer.ok || !answer.body) return setShown((before) => ({ ...before, query, state: 'failed' }))
      known.current?.set(wanted, answer.body)
      setShown({ listing: answer.body, query, state: 'ready' })
    },
    [address, lang, source],
  )

  useEffect(() => {
    const onPopState = () => {
      const query = queryOfAddress()
      const wanted = address(query)
      if (wanted === asked.current) return
      const kept = known.current?.get(wanted)
      if (!kept) return void fetchInto(query)
      asked.current = wanted
      setShown({ listing: kept, query, state: 'ready' })
    }
    addEventListener('popstate', onPopState)
    return () => removeEventListener('popstate', onPopState)
  }, [address, fetchInto])

  /** Goes to another query of this list, as following its link would. */
  const go = (query: ListingQuery, event?: MouseEvent) => {
    if (event && (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)) return
    event?.preventDefault()
    if (address(query) !== asked.current) history.pushState(null, '', address(query))
    void fetchInto(query)
  }
  return { ...shown, address, go, again: () => void fetchInto(shown.query) }
}
