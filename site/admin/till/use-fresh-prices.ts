import { useEffect, useRef } from 'react'
import { showToast } from '#components/toast.tsx'
import { isPriceSet, TOAST_TIME } from '#features/pos/rules.ts'
import { formatTaka } from '#lib/money.ts'
import { useI18n } from '#site/app-root.tsx'
import { catalogue, onCatalogueChange } from './device/catalogue.ts'
import type { Sale } from './sale.ts'

/** A line keeps the price of the shop while it stands in the sale: a change is said, and shown. A price somebody has set stays. */
export function useFreshPrices(sale: Sale, setSale: (change: (now: Sale) => Sale) => void): void {
  const { t, lang } = useI18n()
  const latest = useRef(() => {})
  useEffect(() => {
    latest.current = () => {
      const other = sale.lines.filter((line) => {
        const known = isPriceSet(line) ? null : catalogue.product(line.id)
        return known !== null && known.price !== line.price
      })
      if (other.length === 0) return
      for (const { id, name, price } of other) {
        const now = formatTaka(catalogue.product(id)?.price ?? price, lang)
        showToast(t('pos.price-changed', { name, before: formatTaka(price, lang), now }), { kind: 'error', milliseconds: TOAST_TIME })
      }
      const ids = new Set(other.map(({ id }) => id))
      setSale((now) => ({
        ...now,
        lines: now.lines.map((line) => (ids.has(line.id) ? { ...line, price: catalogue.product(line.id)?.price ?? line.price } : line)),
      }))
    }
  })
  useEffect(() => onCatalogueChange(() => latest.current()), [])
}
