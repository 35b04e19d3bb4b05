import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { SearchResultJson } from '#features/catalog/types.ts'
import type { PosLine } from '#features/pos/rules.ts'
import { labelledQuantity, labelPrice, type ScaleLabel } from '#features/pos/scale-label.ts'
import { formatTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { canBeSold, fetchLine, lineOnDevice, matchScan, scannedOnDevice, searchProducts } from './find-product.ts'
import { lookUp } from './lookups.ts'
import type { ScanFeedback } from './use-scan-feedback.ts'

/** Adds a product; `milli` is the quantity in thousandths, one unit by default. */
export type AddProduct = (product: Omit<PosLine, 'quantity'>, milli?: number) => void

export interface AddOptions {
  onAdd: AddProduct
  /** The key of the sale that products are added to now. */
  saleKey: () => string
  /** Why no product can be added now; null when they can. */
  rejection: () => string | null
  /** Why this product cannot be added, although it can be sold; null when it can. */
  problemOf?: ((product: Omit<PosLine, 'quantity'>) => string | null) | undefined
  notify: (kind: ScanFeedback['kind'], text: string) => void
  /** Whether a found product can be added; by default what can be sold. */
  canBeAdded?: (product: SearchResultJson) => boolean
}

/** Tells the text that rejects products now. The function is stable; a search that is still running reads the value at its end. */
export function useRejection(text: string | null): () => string | null {
  const latest = useRef(text)
  useLayoutEffect(() => void (latest.current = text))
  return useCallback(() => latest.current, [])
}

/**
 * Adds found products to the sale and reports each result. `bind` returns the actions for the sale of this moment: what is found after that
 * sale has left the screen is announced as not added, and never lands on the next sale.
 */
export function useAddScanned({ onAdd, saleKey, rejection, problemOf, notify, canBeAdded = canBeSold }: AddOptions) {
  const { t, lang } = useI18n()
  const [weighed, setWeighed] = useState('')
  function bind() {
    const key = saleKey()
    const isCurrent = () => saleKey() === key
    const rejectLate = (name: string) => notify('rejected', t('pos.found-late', { name }))
    function addLine(line: Omit<PosLine, 'quantity'>, message: string, milli?: number): boolean {
      const reason = rejection() ?? problemOf?.(line) ?? null
      if (reason) notify('rejected', reason)
      else if (!isCurrent()) rejectLate(line.name)
      else {
        onAdd(line, milli)
        notify('accepted', message)
        return true
      }
      return false
    }
    async function add(product: SearchResultJson) {
      // At once, where the device knows the product: one render shows the line and the empty box.
      const line = lineOnDevice(product, lang) ?? (await lookUp(() => fetchLine(product)))
      if (!line) return notify('rejected', t('pos.error', { message: product.name }))
      addLine(line, t('pos.camera-added', { name: product.name }))
    }
    /** Adds the product of a scale label with the quantity of the label. */
    async function addLabelled(label: ScaleLabel) {
      const known = scannedOnDevice(label.item, lang)
      const found = known ? [known] : await lookUp(() => searchProducts(label.item))
      const product = found && matchScan(found, label.item)
      if (!product) {
        return notify(
          'rejected',
          found ? t('pos.scale-unknown', { item: label.item }) : t('pos.error', { message: t('pos.offline-search') }),
        )
      }
      if (!canBeAdded(product)) return notify('rejected', t('pos.out-of-stock-named', { name: product.name }))
      const line = lineOnDevice(product, lang) ?? (await lookUp(() => fetchLine(product)))
      if (!line) return notify('rejected', t('pos.error', { message: product.name }))
      const quantity = labelledQuantity(label, line)
      if (!quantity.ok) return notify('rejected', t(`pos.scale-${quantity.reason}`, { name: product.name }))
      const printed = label.holds === 'weight' ? t('pos.kg', { weight: String(label.value / 1000) }) : formatTaka(labelPrice(label), lang)
      const kg = localizeDigits(lang, String(quantity.milli / 1000))
      const text = t('pos.scale-counted', { name: product.name, label: localizeDigits(lang, printed), kg })
      if (addLine(line, text, quantity.milli)) setWeighed(text)
    }
    return { add, addLabelled, isCurrent, rejectLate }
  }
  return { bind, weighed, clearWeighed: () => setWeighed('') }
}

export type AddScanned = ReturnType<typeof useAddScanned>
