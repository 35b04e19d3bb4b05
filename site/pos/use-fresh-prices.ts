import { useEffect, useRef } from 'react'
import { showToast } from '#components/toast.tsx'
import { type PosLine, TOAST_TIME, withCurrentProduct } from '#features/pos/rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { catalog, onCatalogChange } from './device/catalog.ts'
import type { Sale } from './sale.ts'

/** Updates the prices of lines when the catalog changes and shows a message. A manually set price stays. */
export function useFreshPrices(sale: Sale, setSale: (change: (now: Sale) => Sale) => void): void {
  const { t, lang } = useI18n()
  const latest = useRef(() => {})
  useEffect(() => {
    latest.current = () => {
      const fresh = sale.lines.map(refreshed)
      sale.lines.forEach((line, at) => {
        const now = fresh[at]?.price ?? line.price
        if (now === line.price) return
        const prices = { before: formatTaka(line.price, lang), now: formatTaka(now, lang) }
        showToast(t('pos.price-changed', { name: line.name, ...prices }), { kind: 'error', milliseconds: TOAST_TIME })
      })
      if (fresh.some((line, at) => line !== sale.lines[at])) setSale((now) => ({ ...now, lines: now.lines.map(refreshed) }))
    }
  })
  useEffect(() => onCatalogChange(() => latest.current()), [])
}

/** The line with the device's current price and hold; the same object when nothing changed. */
function refreshed(line: PosLine): PosLine {
  const known = catalog.product(line.id)
  return known ? withCurrentProduct(line, known) : line
}
