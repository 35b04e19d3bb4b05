import { useCallback, useEffect, useRef, useState } from 'react'
import { type FreshProducts, withStatuses } from '#features/cart/fresh-rules.ts'
import { parseStatuses } from '#features/catalog/status-update-rules.ts'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'

const REFRESH_MS = 10_000
const CONCURRENCY = 4

/**
 * The current state of these products: immediately, then every ten seconds while the page is visible. One call loads all statuses; only
 * products that are new here, or whose price or discount changed, are loaded completely.
 */
export function useFreshProducts(ids: readonly number[], active: boolean) {
  const { lang } = useI18n()
  const [fresh, setFresh] = useState<FreshProducts>(new Map())
  const [failed, setFailed] = useState(false)
  const known = useRef(fresh)
  const running = useRef(false)
  const reloadAll = useRef(false)
  const latest = useRef<{ key: string; refresh: () => Promise<void> }>(null)
  const key = ids.join(',')

  const refresh = useCallback(async () => {
    const productIds = key === '' ? [] : key.split(',').map(Number)
    if (productIds.length === 0 || running.current) return
    running.current = true
    const isFull = reloadAll.current
    reloadAll.current = false
    const next = await readFresh(known.current, productIds, lang, isFull).finally(() => {
      running.current = false
    })
    const isOutdated = reloadAll.current || key !== latest.current?.key
    setFailed(next === null)
    if (next === null) reloadAll.current ||= isFull
    else setFresh((known.current = next))
    // The cart changed, or an order was rejected, while the answer was on its way: the shopper would wait for the next refresh.
    if (isOutdated) void latest.current?.refresh()
  }, [key, lang])
  useEffect(() => void (latest.current = { key, refresh }), [key, refresh])

  useEffect(() => {
    if (!active) return
    void refresh()
    const whenVisible = () => {
      if (document.visibilityState === 'visible') void refresh()
    }
    const timer = setInterval(whenVisible, REFRESH_MS)
    document.addEventListener('visibilitychange', whenVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', whenVisible)
    }
  }, [refresh, active])

  /** After a rejected order charges, sizes or advances may have changed as well: loads every product completely. */
  const reload = useCallback(() => {
    reloadAll.current = true
    void refresh()
  }, [refresh])

  /** Marks products as unavailable; the next refresh has the details. */
  const markGone = useCallback((gone: readonly number[]) => {
    known.current = new Map([...known.current, ...gone.map((id) => [id, null] as const)])
    setFresh(known.current)
  }, [])

  return { fresh, failed, reload, markGone }
}

/** Null without a response. `isFull`: loads every product completely. */
async function readFresh(before: FreshProducts, productIds: number[], lang: Lang, isFull: boolean): Promise<FreshProducts | null> {
  const answer = await call(`/api/product-status-update?productIds=${productIds.join(',')}&lang=${lang}`)
  const statuses = answer.ok ? parseStatuses(answer.body) : null
  if (statuses === null) return null
  const { fresh, stale } = withStatuses(before, productIds, statuses)
  const next = new Map(fresh)
  const toLoad = isFull ? productIds.filter((id) => fresh.get(id) !== null) : stale
  for (let from = 0; from < toLoad.length; from += CONCURRENCY) {
    const read = await Promise.all(toLoad.slice(from, from + CONCURRENCY).map((id) => readProduct(id, lang)))
    for (const [id, product] of read) if (product !== undefined) next.set(id, product)
  }
  return next
}

/** Null: the product is gone; undefined: unknown. */
async function readProduct(id: number, lang: Lang): Promise<[number, ProductDetailJson | null | undefined]> {
  const answer = await call<ProductDetailJson | null>(`/api/products/${id}?lang=${lang}`)
  return [id, answer.ok ? (answer.body ?? undefined) : answer.status === 404 ? null : undefined]
}
