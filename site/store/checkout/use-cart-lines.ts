import { useEffect, useMemo, useState } from 'react'
import {
  type FreshLine,
  type FreshProducts,
  type PriceChange,
  reductionsOf,
  refreshedLines,
  withFreshTerms,
} from '#features/cart/fresh-rules.ts'
import type { Cart } from '#features/cart/rules.ts'
import { changeCart } from '#features/cart/ui/cart-store.ts'

/** The cart's lines at current prices and terms. Lower prices are taken at once and shown; a higher one waits for the shopper. */
export function useCartLines(items: Cart, fresh: FreshProducts): FreshLine[] {
  const [reductions, setReductions] = useState<ReadonlyMap<number, PriceChange>>(new Map())
  useEffect(() => {
    if (withFreshTerms(items, fresh) === items) return
    setReductions((before) => new Map([...before, ...reductionsOf(items, fresh)]))
    changeCart((now) => withFreshTerms(now, fresh))
  }, [items, fresh])
  return useMemo(() => refreshedLines(items, fresh, reductions), [items, fresh, reductions])
}
