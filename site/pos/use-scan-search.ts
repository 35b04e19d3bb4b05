import { type RefObject, useEffect, useRef, useState } from 'react'
import type { SearchResultJson } from '#features/catalog/types.ts'
import { MIN_TYPED, SEARCH_DEBOUNCE } from '#features/pos/rules.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { hasNetwork } from './device/network.ts'
import { mergeResults, searchDevice, searchProducts } from './find-product.ts'
import { type KeyBurst, meanGap } from './key-burst.ts'

/** The maximum mean gap between keys that are not searched one by one, in milliseconds. */
const BURST_GAP = 35

/** Search results for the typed text: from this device immediately, then from the server; null while there is no list. `keys`: typed last. */
export function useScanSearch(text: string, lang: Lang, keys: RefObject<KeyBurst | null>) {
  const [found, setFound] = useState<SearchResultJson[] | null>(null)
  const [isSearching, setSearching] = useState(false)
  const shownFor = useRef<string | null>(null)
  const running = useRef<AbortController>(undefined)
  const typed = text.trim()
  useEffect(() => {
    if (shownFor.current === typed) return
    shownFor.current = null
    // Scanner keys come faster than typing: searching after each of them is wasted work.
    const isBurst = keys.current !== null && meanGap(keys.current) < BURST_GAP
    if (typed.length < MIN_TYPED) return setFound(null)
    let onDevice: SearchResultJson[] = []
    const searchLocally = () => {
      onDevice = searchDevice(typed, lang)
      setFound((previous) => (onDevice.length > 0 || !hasNetwork() ? onDevice : previous))
    }
    const burstTimer = isBurst ? setTimeout(searchLocally, BURST_GAP) : undefined
    if (!isBurst) searchLocally()
    const timer = setTimeout(async () => {
      const request = (running.current = new AbortController())
      setSearching(true)
      const answer = await searchProducts(typed, request.signal)
      if (request.signal.aborted) return
      setSearching(false)
      setFound(answer ? mergeResults(onDevice, answer) : onDevice)
    }, SEARCH_DEBOUNCE)
    return () => {
      clearTimeout(burstTimer)
      clearTimeout(timer)
      running.current?.abort()
      setSearching(false)
    }
  }, [typed, lang, keys])
  const stop = () => {
    running.current?.abort()
    shownFor.current = null
    setFound(null)
    setSearching(false)
  }
  const show = (code: string, answer: SearchResultJson[]) => {
    shownFor.current = code
    setFound(answer)
  }
  return { found, isSearching, stop, show }
}
