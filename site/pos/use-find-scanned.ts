import type { SearchResultJson } from '#features/catalog/types.ts'
import { readScaleLabel } from '#features/pos/scale-label.ts'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import { latinDigits } from '#lib/format/numbers.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { useI18n } from '#page/page-context.tsx'
import { catalogLoaded } from './device/catalog.ts'
import { matchScan, scannedOnDevice, searchDevice, searchProducts } from './find-product.ts'
import { lookUp } from './lookups.ts'
import type { AddScanned } from './use-add-scanned.ts'
import type { ScanFeedback } from './use-scan-feedback.ts'

interface FindOptions extends Pick<AddScanned, 'bind'> {
  scales: readonly ScaleLabelRule[]
  /** Whether a found product can be added. */
  canBeAdded: (product: SearchResultJson) => boolean
  notify: (kind: ScanFeedback['kind'], text: string) => void
  /** Shows several products for a scanned name; false when newly typed text is in the box, which the list must not replace. */
  showList: (typed: string, results: SearchResultJson[]) => boolean
}

/**
 * The server may know newer stock; without a response the device's catalog decides, which may still be loading after the start. Null when
 * neither knows anything.
 */
async function searchBoth(code: string, lang: Lang): Promise<SearchResultJson[] | null> {
  const live = await searchProducts(code)
  if (live) return live
  await catalogLoaded()
  const onDevice = searchDevice(code, lang)
  return onDevice.length > 0 ? onDevice : null
}

/** Returns a function that adds the product of a whole code to the sale of this moment, or says why not. */
export function useFindScanned({ bind, scales, notify, showList, canBeAdded }: FindOptions): (raw: string) => Promise<void> {
  const { t, lang } = useI18n()
  return async (raw) => {
    const code = latinDigits(raw.trim())
    const { add, addLabelled, isCurrent, rejectLate } = bind()
    const known = scannedOnDevice(code, lang)
    if (known && canBeAdded(known)) return add(known)
    const label = readScaleLabel(code, scales)
    if (label && !known && scannedOnDevice(label.item, lang)) return addLabelled(label)
    const results = await lookUp(() => searchBoth(code, lang))
    if (results === null) return notify('rejected', t('pos.error', { message: t('pos.offline-search') }))
    const product = matchScan(results, code)
    if (product) return canBeAdded(product) ? add(product) : notify('rejected', t('pos.out-of-stock-named', { name: product.name }))
    if (label) return addLabelled(label)
    if (results.length === 0 || /^\d+$/.test(code)) return notify('rejected', t('pos.barcode-not-found'))
    if (!isCurrent()) return rejectLate(raw.trim())
    if (!showList(raw.trim(), results)) notify('rejected', t('pos.barcode-not-found'))
  }
}
