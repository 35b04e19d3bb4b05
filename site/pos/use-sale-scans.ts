import { type RefObject, useCallback, useRef, useState } from 'react'
import { MAX_LINES } from '#features/pos/limits.ts'
import { addProducts, type PosLine } from '#features/pos/rules.ts'
import { translate } from '#lib/i18n/translate.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Sale } from './sale.ts'
import type { SaleStore } from './sale-store.ts'
import type { ScanFunction } from './use-scan-box.ts'
import { useScanner } from './use-scanner.ts'

/** Keys in a row that may be a scan into a field other than the scan box. */
interface Burst {
  before: Sale
  /** What was added to the sale since the first key. */
  added: [product: Omit<PosLine, 'quantity'>, milli?: number][]
}

/** The sale without the keys of the burst, and with what was added meanwhile. */
function withoutBurst({ before, added }: Burst): Sale {
  return { ...before, lines: added.reduce((lines, [product, milli]) => addProducts(lines, product, milli), before.lines) }
}

/** Adds scanned products to the sale, and undoes the keys of a scan that was typed into another field. */
export function useSaleScans(box: RefObject<HTMLInputElement | null>, store: SaleStore) {
  const { lang } = useI18n()
  const [last, setLast] = useState<{ id: number } | null>(null)
  const scanRef = useRef<ScanFunction>(() => {})
  const burst = useRef<Burst | null>(null)
  useScanner({
    box,
    onBegin: () => void (burst.current = { before: store.get(), added: [] }),
    onScan: (text, at) => {
      const undone = burst.current
      // A sale that was placed meanwhile has left the screen with its fields.
      store.set((now) => (undone && undone.before.key === now.key ? withoutBurst(undone) : now))
      box.current?.focus()
      scanRef.current(text, at)
    },
  })
  const addProduct = useCallback(
    (product: Omit<PosLine, 'quantity'>, milli?: number) => {
      burst.current?.added.push([product, milli])
      setLast({ id: product.id })
      store.set((now) => ({ ...now, lines: addProducts(now.lines, product, milli) }))
    },
    [store],
  )
  const saleKey = useCallback(() => store.get().key, [store])
  /** The shop takes a limited number of lines. */
  const problemOf = useCallback(
    ({ id }: { id: number }) => {
      const { lines } = store.get()
      return lines.length < MAX_LINES || lines.some((line) => line.id === id) ? null : translate(lang)('pos.too-many-lines')
    },
    [store, lang],
  )
  return { scanRef, last, addProduct, saleKey, problemOf }
}
