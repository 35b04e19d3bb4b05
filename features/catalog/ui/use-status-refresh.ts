import { useEffect, useRef, useState } from 'react'
import { translate } from '#lib/i18n/translate.ts'
import { formatTaka } from '#lib/format/money.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { pricesOf } from '../shown-price-rules.ts'
import { MAX_STATUS_IDS, parseStatuses } from '../status-update-rules.ts'
import type { ProductJson, StatusUpdate } from '../types.ts'
import { refreshed, refreshUrl, isUnchanged, startRefresh } from './status-refresh.ts'

/**
 * The products with refreshed statuses, and a sentence about the last change (for a polite live region).
 */
export function useStatusRefresh<Product extends ProductJson>(products: Product[]): { products: Product[]; news: string } {
  const { lang } = useI18n()
  const [updates, setUpdates] = useState<ReadonlyMap<number, StatusUpdate>>(new Map())
  const [news, setNews] = useState('')
  const shown = products.map((product) => refreshed(product, updates.get(product.id)))
  const latest = useRef(shown)
  latest.current = shown
  const ids = products.slice(0, MAX_STATUS_IDS).map((product) => product.id)
  const url = ids.length > 0 ? refreshUrl(ids, lang) : null

  useEffect(() => {
    if (!url) return
    const t = translate(lang)
    const stop = startRefresh(
      {
        isHidden: () => document.visibilityState === 'hidden',
        async fetchStatuses() {
          // 'no-cache' sends the ETag of the last response; most responses are 304.
          const response = await call(url, { cache: 'no-cache' })
          return response.ok ? parseStatuses(response.body) : null
        },
        onUpdate(found) {
          const byId = new Map(found.map((update) => [update.id, update]))
          const changes = latest.current.flatMap((product) => {
            const update = byId.get(product.id)
            if (!update) return []
            if (update.status !== product.status)
              return [t('catalog.status-now', { name: product.product_type, status: t(`catalog.status.${update.status}`) })]
            const price = pricesOf(refreshed(product, update)).now
            return price === pricesOf(product).now
              ? []
              : [t('catalog.price-now', { name: product.product_type, price: formatTaka(price, lang) })]
          })
          if (changes.length > 0) setNews(changes.slice(0, 3).join('. '))
          setUpdates((before) => withUpdates(before, found))
        },
      },
      document,
      window,
    )
    return () => {
      stop()
      setUpdates(new Map())
    }
  }, [url, lang])
  return { products: shown, news }
}

/** The known updates with those of a response; the same map without changes. */
function withUpdates(known: ReadonlyMap<number, StatusUpdate>, found: StatusUpdate[]): ReadonlyMap<number, StatusUpdate> {
  const news = found.filter((update) => !isUnchanged(known.get(update.id) ?? ({} as StatusUpdate), update))
  return news.length === 0
    ? known
    : new Map([...known, ...news.map((update) => [update.id, { ...known.get(update.id), ...update }] as const)])
}
