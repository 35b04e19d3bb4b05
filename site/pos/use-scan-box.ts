import { type RefObject, useLayoutEffect, useState } from 'react'
import type { SearchResultJson } from '#features/catalog/types.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import { MIN_SEARCH_LENGTH } from '#lib/format/search-term.ts'
import { MIN_SCANNED } from '#features/pos/rules.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import { useI18n } from '#page/page-context.tsx'
import { scannedCode } from './key-burst.ts'
import { canBeSold, scannedOnDevice } from './find-product.ts'
import { type AddOptions, useAddScanned } from './use-add-scanned.ts'
import { useBoxKeys } from './use-box-keys.ts'
import { useEarlyScans } from './use-early-scans.ts'
import { useFindScanned } from './use-find-scanned.ts'
import { useScanFeedback } from './use-scan-feedback.ts'
import { useScanLock } from './use-scan-lock.ts'
import { useScanSearch } from './use-scan-search.ts'

/** Two letters are a name, as আখ and আম are, and found as a longer one is. Digits are a part of a code. */
const isShortName = (code: string) => code.length >= MIN_SEARCH_LENGTH && /^[\p{L}\p{M}]+$/u.test(code)

/** Scans a code; `at` is the time of the event that ended it. */
export type ScanFunction = (code: string, at: number) => void

export interface ScanBoxOptions extends Omit<AddOptions, 'notify'> {
  box: RefObject<HTMLInputElement | null>
  scales: readonly ScaleLabelRule[]
  /** Set to the scan function, for scans that were typed into other fields. */
  scanRef: RefObject<ScanFunction>
}

/** State and actions of the scan box: the typed text, its search results, and the scan of a whole code. */
export function useScanBox({ box, scales, canBeAdded = canBeSold, scanRef, ...adding }: ScanBoxOptions) {
  const { t, lang } = useI18n()
  const [text, setText] = useState('')
  const [active, setActive] = useState(-1)
  const lock = useScanLock()
  const keys = useBoxKeys(box, lock.swallows)
  const { found, isSearching, search, stop, show } = useScanSearch(lang)
  const { notify, endFlash, ...feedback } = useScanFeedback()
  const { bind, weighed, clearWeighed } = useAddScanned({ ...adding, notify, canBeAdded })
  const showList = (typed: string, results: SearchResultJson[]) => {
    if (keys.text()) return false
    setText(typed)
    show(typed, results)
    return true
  }
  const find = useFindScanned({ bind, scales, notify, showList, canBeAdded })

  function clear() {
    keys.drop()
    setText('')
    setActive(-1)
    stop()
    // To focus a focused field would compute its styles and layout.
    if (document.activeElement !== box.current) box.current?.focus()
  }
  function choose(product: SearchResultJson) {
    clear()
    if (canBeAdded(product)) return void bind().add(product)
    notify('rejected', t('pos.out-of-stock'))
  }
  /** `at`: the time of the event that ended the scan. */
  async function scan(raw: string, at: number) {
    const code = latinDigits(raw.trim())
    if (lock.isLockedAt(at)) return lock.reject()
    clear()
    if (code.length < MIN_SCANNED && !isShortName(code)) return notify('rejected', t('pos.too-short'))
    lock.begin(at, endFlash)
    clearWeighed()
    await find(raw)
  }
  /** Enter in the box: a scan behind half-typed letters is the scan alone. */
  const enter = (at: number) =>
    scan(
      scannedCode(keys.text(), keys.burst, (code) => scannedOnDevice(code.trim(), lang) !== null),
      at,
    )
  useLayoutEffect(() => void (scanRef.current = (code, at) => void scan(code, at)))
  const findEarly = (code: string) => void (code.trim().length < MIN_SCANNED ? notify('rejected', t('pos.too-short')) : find(code))
  useEarlyScans({ onScan: findEarly, onReject: lock.reject })
  function type(typed: string) {
    setText(typed)
    setActive(-1)
    feedback.clearFeedback()
    search(typed)
  }
  return { keys, text, type, active, setActive, found, isSearching, lock, weighed, clear, choose, enter, scan, ...feedback }
}
