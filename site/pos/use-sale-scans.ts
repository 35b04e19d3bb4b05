import { type RefObject, useRef, useState } from 'react'
import { addProducts, type PosLine } from '#features/pos/rules.ts'
import type { Sale } from './sale.ts'
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
export function useSaleScans(box: RefObject<HTMLInputElement | null>, sale: Sale, setSale: (sale: Sale | ((now: Sale) => Sale)) => void) {
  const [last, setLast] = useState<{ id: number } | null>(null)
  const scanRef = useRef<(text: string) => void>(() => {})
  const burst = useRef<Burst>({ before: sale, added: [] })
  useScanner({
    box,
    onBegin: () => {
      const begun: Burst = { before: sale, added: [] }
      burst.current = begun
      // An update that React has not rendered yet is part of the sale before the burst.
      setSale((now) => (begun.before = now))
    },
    onScan: (text) => {
      setSale(withoutBurst(burst.current))
      box.current?.focus()
      scanRef.current(text)
    },
  })
  function addProduct(product: Omit<PosLine, 'quantity'>, milli?: number) {
    burst.current.added.push([product, milli])
    setLast({ id: product.id })
    setSale((now) => ({ ...now, lines: addProducts(now.lines, product, milli) }))
  }
  return { scanRef, last, addProduct }
}
