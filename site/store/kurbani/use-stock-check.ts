import { useEffect, useState } from 'react'
import type { ListingJson } from '#features/catalog/types.ts'
import { call } from '#page/api-client.ts'

/** Marks a form with input, which must not be replaced. */
export const TYPED = 'data-typed'

/**
 * Whether a cow is in stock: from the page props, checked again when the page opens.
 * A failed check assumes that there are cows.
 */
export function useStockCheck(known: boolean): { inStock: boolean; checking: boolean } {
  const [state, setState] = useState({ inStock: known, checking: false })
  useEffect(() => {
    let left = false
    setState({ inStock: known, checking: true })
    void call<ListingJson>('/api/kurbani-cows?status=in-stock&limit=1', { cache: 'no-cache' }).then((answer) => {
      if (left) return
      const inStock = answer.ok ? answer.body.products.length > 0 : true
      setState({ inStock: document.querySelector(`[${TYPED}]`) ? known : inStock, checking: false })
    })
    return () => {
      left = true
    }
  }, [known])
  return state
}
