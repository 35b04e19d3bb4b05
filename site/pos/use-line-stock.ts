import { toMilli } from '#lib/format/numbers.ts'
import { useEffect, useMemo, useRef } from 'react'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import { type PosLine, lineQuantity, stockShortage } from '#features/pos/rules.ts'
import { posCall } from './device/network.ts'
import { useOutbox } from './device/outbox.ts'

interface LineStockOptions {
  lines: readonly PosLine[]
  /** The key of the sale on screen, which is in the outbox while it is sent. */
  saleKey: string
  isOnline: boolean
  /** Errors of the last submit by field. An error at a product means that the known stock is old. */
  errors: Readonly<Record<string, string[]>>
  onChange: (id: number, changes: Partial<PosLine>) => void
}

/**
 * The stock that is left, in thousandths, for the lines that need more. With network the server's stock is read first: the device's may be
 * old.
 */
export function useLineStock({ lines, saleKey, isOnline, errors, onChange }: LineStockOptions): ReadonlyMap<number, number> {
  const unsent = useUnsentQuantities(saleKey)
  const shortages = useMemo(() => {
    const found = lines.map((line) => [line.id, stockShortage(line, unsent.get(line.id) ?? 0)] as const)
    return new Map(found.flatMap(([id, left]) => (left === null ? [] : [[id, left] as const])))
  }, [lines, unsent])
  useEffect(() => {
    if (!Object.keys(errors).some((field) => field.startsWith('products.'))) return
    for (const { id, isAnimal } of lines) if (!isAnimal) void refreshStock(id, onChange)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each rejection
  }, [errors])
  const requested = useRef(new Set<string>())
  useEffect(() => {
    if (!isOnline) return
    for (const { id, stockMilli } of lines) {
      const request = `${saleKey} ${id} ${stockMilli}`
      if (!shortages.has(id) || requested.current.has(request)) continue
      requested.current.add(request)
      void refreshStock(id, onChange)
    }
  }, [lines, shortages, saleKey, isOnline, onChange])
  return shortages
}

/** Reads the stock of a product from the server into its line; without an answer the line stays as it is. */
async function refreshStock(id: number, onChange: LineStockOptions['onChange']): Promise<void> {
  const answer = await posCall<ProductDetailJson>(`/api/products/${id}`)
  if (!answer.ok) return
  const { max_quantity: units } = answer.body
  onChange(id, { stockMilli: units === null ? null : toMilli(units) })
}

/** What this device has sold and not sent yet, by product, in thousandths. */
function useUnsentQuantities(saleKey: string): ReadonlyMap<number, number> {
  const outbox = useOutbox()
  return useMemo(() => {
    const quantities = new Map<number, number>()
    for (const { key, sale } of outbox)
      for (const line of key === saleKey ? [] : (sale?.lines ?? []))
        quantities.set(line.id, (quantities.get(line.id) ?? 0) + (lineQuantity(line) ?? 0))
    return quantities
  }, [outbox, saleKey])
}
