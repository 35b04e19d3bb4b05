import { useEffect, useRef } from 'react'
import { showToast } from '#components/toast.tsx'
import { TOAST_TIME } from '#features/pos/rules.ts'
import { formatTaka } from '#lib/format/money.ts'
import { useI18n } from '#page/page-context.tsx'
import { currentLine } from './current-line.ts'
import { onCatalogChange } from './device/catalog.ts'
import { refreshTerms } from './device/shop-terms.ts'
import type { Sale } from './sale.ts'

/**
 * Updates lines when the catalog changes, and shows a message for another price. A manually set price stays. The delivery charges and days are
 * read when products are to leave the shop later.
 */
export function useFreshPrices(sale: Sale, setSale: (change: (now: Sale) => Sale) => void): void {
  const { t, lang } = useI18n()
  const latest = useRef(() => {})
  useEffect(() => {
    latest.current = () => {
      const fresh = sale.lines.map(currentLine)
      sale.lines.forEach((line, at) => {
        const now = fresh[at]?.price ?? line.price
        if (now === line.price) return
        const prices = { before: formatTaka(line.price, lang), now: formatTaka(now, lang) }
        showToast(t('pos.price-changed', { name: line.name, ...prices }), { kind: 'error', milliseconds: TOAST_TIME })
      })
      if (fresh.some((line, at) => line !== sale.lines[at])) setSale((now) => ({ ...now, lines: now.lines.map(currentLine) }))
    }
  })
  useEffect(() => onCatalogChange(() => latest.current()), [])
  const isLater = sale.deliver || sale.collect === true
  useEffect(() => void (isLater && refreshTerms()), [isLater])
}
