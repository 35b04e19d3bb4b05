import { useLayoutEffect, useRef, useState } from 'react'
import type { SearchResultJson } from '#features/catalog/types.ts'
import type { PosLine } from '#features/pos/rules.ts'
import { labelledQuantity, labelPrice, type ScaleLabel } from '#features/pos/scale-label.ts'
import { formatTaka } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { canBeSold, fetchLine, matchScan, scannedOnDevice, searchProducts } from './find-product.ts'
import { lookUp } from './lookups.ts'
import type { ScanFeedback } from './use-scan-feedback.ts'

/** Adds a product; `milli` is the quantity in thousandths, one unit by default. */
export type AddProduct = (product: Omit<PosLine, 'quantity'>, milli?: number) => void

export interface AddOptions {
  onAdd: AddProduct
  /** The key of the sale that products are added to now. */
  saleKey: () => string
  /** Rejects every product with this text while it is set. */
  rejection: string | null
  notify: (kind: ScanFeedback['kind'], text: string) => void
  /** Whether a found product can be added; by default what can be sold. */
  canBeAdded?: (product: SearchResultJson) => boolean
}

/**
 * Adds found products to the sale and reports each result. `bind` returns the actions for the sale of this moment: what is found after that
 * sale has left the screen is announced as not added, and never lands on the next sale.
 */
export function useAddScanned({ onAdd, saleKey, rejection, notify, canBeAdded = canBeSold }: AddOptions) {
  const { t, lang } = useI18n()
  const [weighed, setWeighed] = useState('')
  // A search that is still running must read the value at its end.
  const latestRejection = useRef(rejection)
  useLayoutEffect(() => void (latestRejection.current = rejection))

  function bind() {
    const key = saleKey()
    const isCurrent = () => saleKey() === key
    const rejectLate = (name: string) => notify('rejected', t('pos.found-late', { name }))
    function addLine(line: Omit<PosLine, 'quantity'>, message: string, milli?: number): boolean {
      if (latestRejection.current) notify('rejected', latestRejection.current)
      else if (!isCurrent()) rejectLate(line.name)
      else {
        onAdd(line, milli)
        notify('accepted', message)
        return true
      }
      return false
    }
    async function add(product: SearchResultJson) {
      const line = await lookUp(() => fetchLine(product, lang))
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
      const line = await lookUp(() => fetchLine(product, lang))
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
