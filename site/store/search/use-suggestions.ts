import { useEffect, useRef, useState } from 'react'
import type { SuggestionJson, SuggestionsJson } from '#features/search/types.ts'
import { MIN_SEARCH_LENGTH } from '#lib/format/search-term.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

/** Debounce: a request is sent when the keys rest. */
const REST_MS = 150
/** A slower response is announced. */
const SLOW_MS = 500
const MAX_CACHED = 50
/** Suggestions of a page that stays open show old prices and statuses after this time. */
const MAX_AGE_MS = 60_000

export interface Suggested {
  /** The text that the products belong to; empty without one. */
  query: string
  products: readonly SuggestionJson[]
  state: 'idle' | 'ready' | 'slow' | 'failed'
}

const NOTHING: Suggested = { query: '', products: [], state: 'idle' }

/**
 * The suggestions for a typed text. Of the requests only the last one counts; the others are aborted. While one is on its way the last
 * suggestions stay.
 */
export function useSuggestions(typed: string): Suggested {
  const { lang } = useI18n()
  const [suggested, setSuggested] = useState(NOTHING)
  const cache = useRef(new Map<string, { products: readonly SuggestionJson[]; at: number }>())
  const query = typed.trim().replace(/\s+/g, ' ')
  useEffect(() => {
    if ([...query].length < MIN_SEARCH_LENGTH) return setSuggested(NOTHING)
    const known = cache.current.get(query)
    if (known && performance.now() - known.at < MAX_AGE_MS) return setSuggested({ query, products: known.products, state: 'ready' })
    const stop = new AbortController()
    const slow = setTimeout(() => setSuggested((before) => ({ ...before, query, state: 'slow' })), REST_MS + SLOW_MS)
    const timer = setTimeout(async () => {
      const url = `/api/product/suggestions?${new URLSearchParams({ q: query, lang })}`
      const answer = await call<SuggestionsJson | null>(url, { signal: stop.signal })
      if (stop.signal.aborted) return
      clearTimeout(slow)
      if (!answer.ok || !answer.body) return setSuggested({ query, products: [], state: 'failed' })
      const { products } = answer.body
      if (cache.current.size >= MAX_CACHED) cache.current.clear()
      cache.current.set(query, { products, at: performance.now() })
      setSuggested({ query, products, state: 'ready' })
    }, REST_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
      clearTimeout(slow)
    }
  }, [query, lang])
  return suggested
}
