import { useEffect, useRef, useState } from 'react'
import type { SearchResultJson } from '#features/catalog/types.ts'
import { MIN_TYPED, SEARCH_DEBOUNCE } from '#features/pos/rules.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { hasNetwork } from './device/network.ts'
import { inPlace, searchDevice, searchProducts } from './find-product.ts'

/** Between two keys of a scanner, at most; nobody types so quickly. */
const BURST_GAP = 35

/** What was found for the typed text: on this device at once, then what the shop answers; null while there is no list. */
export function useScanSearch(text: string, lang: Lang) {
  const [found, setFound] = useState<SearchResultJson[] | null>(null)
  const [isSearching, setSearching] = useState(false)
  const shownFor = useRef<string | null>(null)
  const running = useRef<AbortController>(undefined)
  const typedAt = useRef(-Infinity)
  const typed = text.trim()
  useEffect(() => {
    if (shownFor.current === typed) return
    shownFor.current = null
    // A scanner's keys come closer than a finger's: a list for each of them is work for nobody.
    const now = performance.now()
    const isBurst = now - typedAt.current < BURST_GAP
    typedAt.current = now
    if (typed.length < MIN_TYPED) return setFound(null)
    let onDevice: SearchResultJson[] = []
    const look = () => {
      onDevice = searchDevice(typed, lang)
      setFound((before) => (onDevice.length > 0 || !hasNetwork() ? onDevice : before))
    }
    const soon = isBurst ? setTimeout(look, BURST_GAP) : undefined
    if (!isBurst) look()
    const timer = setTimeout(async () => {
      const own = (running.current = new AbortController())
      setSearching(true)
      const answer = await searchProducts(typed, own.signal)
      if (own.signal.aborted) return
      setSearching(false)
      setFound(answer ? inPlace(onDevice, answer) : onDevice)
    }, SEARCH_DEBOUNCE)
    return () => {
      clearTimeout(soon)
      clearTimeout(timer)
      running.current?.abort()
      setSearching(false)
    }
  }, [typed, lang])
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
