import { useCallback, useEffect, useRef, useState } from 'react'
import { type FreshProducts, withStatuses } from '#features/cart/fresh-rules.ts'
import { parseStatuses } from '#features/catalog/status-update-rules.ts'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

const REFRESH_MS = 10_000
const AT_ONCE = 4

/**
 * What the shop says of these products now: asked at once, then every ten seconds while the page is seen. One call tells the
 * states of all; only a product that is new here, or whose price or discount has changed, is read whole.
 */
export function useFreshProducts(ids: readonly number[], active: boolean) {
  const { lang } = useI18n()
  const [fresh, setFresh] = useState<FreshProducts>(new Map())
  const [failed, setFailed] = useState(false)
  const known = useRef(fresh)
  const running = useRef(false)
  const anew = useRef(false)
  const key = ids.join(',')

  const refresh = useCallback(async () => {
    const asked = key === '' ? [] : key.split(',').map(Number)
    if (asked.length === 0 || running.current) return
    running.current = true
    const whole = anew.current
    anew.current = false
    const next = await readFresh(known.current, asked, lang, whole).finally(() => {
      running.current = false
    })
    setFailed(next === null)
    if (next === null) {
      anew.current ||= whole
      return
    }
    known.current = next
    setFresh(next)
  }, [key, lang])

  useEffect(() => {
    if (!active) return
    void refresh()
    const whenSeen = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    const timer = setInterval(whenSeen, REFRESH_MS)
    document.addEventListener('visibilitychange', whenSeen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', whenSeen)
    }
  }, [refresh, active])

  /** The shop has just refused an order: charges, sizes or advances may be others as well, so every product is read whole. */
  const readAnew = useCallback(() => {
    anew.current = true
    void refresh()
  }, [refresh])

  /** The shop has just said that these cannot be had; the next refresh knows more. */
  const markGone = useCallback((gone: readonly number[]) => {
    known.current = new Map([...known.current, ...gone.map((id) => [id, null] as const)])
    setFresh(known.current)
  }, [])

  return { fresh, failed, readAnew, markGone }
}

/** Null when the shop did not answer. `whole`: no product is taken to be as it was. */
async function readFresh(before: FreshProducts, asked: number[], lang: Lang, whole: boolean): Promise<FreshProducts | null> {
  const answer = await call(`/api/product-status-update?productIds=${asked.join(',')}&lang=${lang}`)
  const statuses = answer.ok ? parseStatuses(answer.body) : null
  if (statuses === null) return null
  const { fresh, stale } = withStatuses(before, asked, statuses)
  const next = new Map(fresh)
  const wanted = whole ? asked.filter((id) => fresh.get(id) !== null) : stale
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const read = await Promise.all(wanted.slice(from, from + AT_ONCE).map((id) => readProduct(id, lang)))
    for (const [id, product] of read) if (product !== undefined) next.set(id, product)
  }
  return next
}

/** Null: there is none such any more; undefined: not known now. */
async function readProduct(id: number, lang: Lang): Promise<[number, ProductDetailJson | null | undefined]> {
  const answer = await call<ProductDetailJson | null>(`/api/products/${id}?lang=${lang}`)
  return [id, answer.ok ? (answer.body ?? undefined) : answer.status === 404 ? null : undefined]
}
