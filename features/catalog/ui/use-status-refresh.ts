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
  const url = refreshUrl(ids, lang)

  useEffect(() => {
    if (ids.length === 0) return
    const t = translate(lang)
    const stop = startRefresh(
      {
        isHidden: () => document.visibilityState === 'hidden',
        async fetchStatuses() {
          // 'no-cache' sends the ETag of the last response; most responses are 304.
          const response = await call(url, { cache: 'no-cache' })
          return response.ok ? parseStatuses(response.body) : null
        },
        onUpdate(listed) {
          // A product without an answer was hidden by the staff: nobody can order it. A sold one stays sold.
          const asked = latest.current.filter(({ id }) => ids.includes(id))
          const found = asked.map(
            ({ id, price, status }): StatusUpdate =>
              listed.find((update) => update.id === id) ?? { id, price, status: status === 'sold' ? status : 'out-of-stock' },
          )
          const changes = found.flatMap((update, at) => {
            const product = asked[at]!
            if (update.status !== product.status)
              return [t('catalog.status-now', { name: product.product_type, status: t(`catalog.status.${update.status}`) })]
            const price = pricesOf(refreshed(product, update)).now
            return price === pricesOf(product).now
              ? []
              : [t('catalog.price-now', { name: product.product_type, price: formatTaka(price, lang) })]
          })
          if (changes.length > 0) setNews(changes.slice(0, 3).join('. '))
          if (!asked.every((product, at) => isUnchanged(product, found[at]!)))
            setUpdates(new Map(found.map((update) => [update.id, update])))
        },
      },
      document,
      window,
    )
    return () => {
      stop()
      setUpdates(new Map())
    }
    // The URL holds the ids.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [url, lang])
  return { products: shown, news }
}
