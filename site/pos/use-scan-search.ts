import { useEffect, useRef, useState } from 'react'
import type { SearchResultJson } from '#features/catalog/types.ts'
import { SEARCH_DEBOUNCE } from '#features/pos/rules.ts'
import { MIN_SEARCH_LENGTH } from '#lib/format/search-term.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { hasNetwork } from './device/network.ts'
import { mergeResults, searchDevice, searchProducts } from './find-product.ts'

/** Search results for the typed text: from this device immediately, then from the server; null while there is no list. */
export function useScanSearch(lang: Lang) {
  const [found, setFound] = useState<SearchResultJson[] | null>(null)
  const [isSearching, setSearching] = useState(false)
  /** The text that the list belongs to. */
  const shownFor = useRef<string | null>(null)
  const running = useRef<{ request: AbortController; timer: ReturnType<typeof setTimeout> }>(undefined)
  const end = () => {
    clearTimeout(running.current?.timer)
    running.current?.request.abort()
  }
  useEffect(() => end, [])

  /** Called with the event of the key, so that text and list are one render. */
  function search(text: string) {
    const typed = text.trim()
    if (typed === shownFor.current) return
    end()
    setSearching(false)
    shownFor.current = typed
    if (typed.length < MIN_SEARCH_LENGTH) return setFound(null)
    const onDevice = searchDevice(typed, lang)
    setFound((previous) => (onDevice.length > 0 || !hasNetwork() ? onDevice : previous))
    const request = new AbortController()
    const timer = setTimeout(async () => {
      setSearching(true)
      const answer = await searchProducts(typed, request.signal)
      if (request.signal.aborted) return
      setSearching(false)
      setFound(answer ? mergeResults(onDevice, answer) : onDevice)
    }, SEARCH_DEBOUNCE)
    running.current = { request, timer }
  }
  function stop() {
    end()
    shownFor.current = null
    setFound(null)
    setSearching(false)
  }
  function show(code: string, answer: SearchResultJson[]) {
    shownFor.current = code
    setFound(answer)
  }
  return { found, isSearching, search, stop, show }
}
