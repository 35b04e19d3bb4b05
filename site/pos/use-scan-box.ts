import { type RefObject, useLayoutEffect, useState } from 'react'
import type { SearchResultJson } from '#features/catalog/types.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { MIN_SCANNED } from '#features/pos/rules.ts'
import { readScaleLabel } from '#features/pos/scale-label.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import { useI18n } from '#page/page-context.tsx'
import { scannedCode } from './key-burst.ts'
import { canBeSold, matchScan, scannedOnDevice, searchDevice, searchProducts } from './find-product.ts'
import { type AddProduct, useAddScanned } from './use-add-scanned.ts'
import { useBoxKeys } from './use-box-keys.ts'
import { useEarlyScans } from './use-early-scans.ts'
import { useScanFeedback } from './use-scan-feedback.ts'
import { useScanLock } from './use-scan-lock.ts'
import { useScanSearch } from './use-scan-search.ts'

export interface ScanBoxOptions {
  box: RefObject<HTMLInputElement | null>
  onAdd: AddProduct
  scales: readonly ScaleLabelRule[]
  /** Rejects every scan with this text while it is set. */
  rejection: string | null
  /** Whether a found product can be added; by default what can be sold. */
  canBeAdded?: (product: SearchResultJson) => boolean
  /** Set to the scan function, for scans that were typed into other fields. */
  scanRef: RefObject<(text: string) => void>
}

/** State and actions of the scan box: the typed text, its search results, and the scan of a whole code. */
export function useScanBox({ box, onAdd, scales, rejection, canBeAdded = canBeSold, scanRef }: ScanBoxOptions) {
  const { t, lang } = useI18n()
  const [text, setText] = useState('')
  const [active, setActive] = useState(-1)
  const { found, isSearching, stop, show } = useScanSearch(text, lang)
  const lock = useScanLock(box)
  const keys = useBoxKeys(box)
  const { notify, ...feedback } = useScanFeedback()
  const { add, addLabelled, weighed, clearWeighed } = useAddScanned({ onAdd, rejection, notify, canBeAdded })

  function clear() {
    setText('')
    setActive(-1)
    stop()
    box.current?.focus()
  }
  function choose(product: SearchResultJson) {
    clear()
    if (canBeAdded(product)) return void add(product)
    notify('rejected', t('pos.out-of-stock'))
  }
  async function scan(raw: string) {
    const code = latinDigits(raw.trim())
    if (lock.isLocked()) return lock.reject()
    clear()
    if (code.length < MIN_SCANNED) return notify('rejected', t('pos.too-short'))
    lock.begin()
    clearWeighed()
    await find(raw)
  }
  /** Adds the product of a whole code, or says why not. */
  async function find(raw: string) {
    const code = latinDigits(raw.trim())
    const known = scannedOnDevice(code, lang)
    if (known && canBeAdded(known)) return add(known)
    const label = readScaleLabel(code, scales)
    if (label && !known && scannedOnDevice(label.item, lang)) return addLabelled(label)
    // The server may know newer stock; without a response the device's catalog decides.
    const live = await searchProducts(code)
    const results = live ?? searchDevice(code, lang)
    if (!live && results.length === 0) return notify('rejected', t('pos.error', { message: t('pos.offline-search') }))
    const product = matchScan(results, code)
    if (product) return canBeAdded(product) ? add(product) : notify('rejected', t('pos.out-of-stock-named', { name: product.name }))
    if (label) return addLabelled(label)
    // The results of this search must not replace newly typed text.
    if (results.length === 0 || /^\d+$/.test(code) || box.current?.value) return notify('rejected', t('pos.barcode-not-found'))
    setText(raw.trim())
    show(raw.trim(), results)
  }
  /** Enter in the box: a scan behind half-typed letters is the scan alone. */
  const enter = (typed: string) => scan(scannedCode(typed, keys.current, (code) => scannedOnDevice(code.trim(), lang) !== null))
  useLayoutEffect(() => void (scanRef.current = (code) => void scan(code)))
  const findEarly = (code: string) => void (code.trim().length < MIN_SCANNED ? notify('rejected', t('pos.too-short')) : find(code))
  useEarlyScans({ onScan: findEarly, onReject: lock.reject })
  function type(typed: string) {
    setText(typed)
    setActive(-1)
  }
  return { text, type, active, setActive, found, isSearching, lock, weighed, clear, choose, enter, scan, ...feedback }
}
