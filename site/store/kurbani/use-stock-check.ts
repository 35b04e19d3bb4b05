import { useEffect, useState } from 'react'
import type { ListingJson } from '#features/catalog/types.ts'
import { call } from '#page/api-client.ts'

/** A form that somebody is filling in carries this; it is not taken away from them. */
export const TYPED = 'data-typed'

/**
 * Whether a cow is in stock: the page was made for what the server knew, and asks again when it opens.
 * A check that fails takes it that there are cows.
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
