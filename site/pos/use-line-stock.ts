import { useEffect, useMemo, useRef } from 'react'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import { type PosLine, readPosQuantity, stockShortage } from '#features/pos/rules.ts'
import { posCall } from './device/network.ts'
import { useOutbox } from './device/outbox.ts'

interface LineStockOptions {
  lines: readonly PosLine[]
  /** The key of the sale on screen, which is in the outbox while it is sent. */
  saleKey: string
  isOnline: boolean
  onChange: (id: number, changes: Partial<PosLine>) => void
}

/**
 * The stock that is left, in thousandths, for the lines that need more. With network the server's stock is read first: the device's may be
 * old.
 */
export function useLineStock({ lines, saleKey, isOnline, onChange }: LineStockOptions): ReadonlyMap<number, number> {
  const unsent = useUnsentQuantities(saleKey)
  const shortages = useMemo(() => {
    const found = lines.map((line) => [line.id, stockShortage(line, unsent.get(line.id) ?? 0)] as const)
    return new Map(found.flatMap(([id, left]) => (left === null ? [] : [[id, left] as const])))
  }, [lines, unsent])
  const requested = useRef(new Set<string>())
  useEffect(() => {
    if (!isOnline) return
    for (const { id, stockMilli } of lines) {
      const request = `${saleKey} ${id} ${stockMilli}`
      if (!shortages.has(id) || requested.current.has(request)) continue
      requested.current.add(request)
      void readStock(id).then((stock) => {
        if (stock !== undefined && stock !== stockMilli) onChange(id, { stockMilli: stock })
      })
    }
  }, [lines, shortages, saleKey, isOnline, onChange])
  return shortages
}

/** The stock of a product in thousandths, null when it is not counted; undefined without an answer. */
async function readStock(id: number): Promise<number | null | undefined> {
  const answer = await posCall<ProductDetailJson>(`/api/products/${id}`)
  if (!answer.ok) return undefined
  const { max_quantity: units } = answer.body
  return units === null ? null : Math.round(units * 1000)
}

/** What this device has sold and not sent yet, by product, in thousandths. */
function useUnsentQuantities(saleKey: string): ReadonlyMap<number, number> {
  const outbox = useOutbox()
  return useMemo(() => {
    const quantities = new Map<number, number>()
    for (const { key, sale } of outbox)
      for (const { id, quantity } of key === saleKey ? [] : (sale?.lines ?? []))
        quantities.set(id, (quantities.get(id) ?? 0) + (readPosQuantity(quantity) ?? 0))
    return quantities
  }, [outbox, saleKey])
}
