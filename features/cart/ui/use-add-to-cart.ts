import { useEffect } from 'react'
import { showToast } from '#components/toast.tsx'
import type { ProductJson } from '#features/catalog/types.ts'
import { useI18n } from '#page/page-context.tsx'
import { PENDING_KEY } from '../rules.ts'
import { showAddError } from './add-refusal.tsx'
import { addToCart, type AddOutcome, takePending } from './cart-store.ts'

const ADDED_TOAST_MS = 1500

/** Adds a product and shows the result: a toast, or the dialog with the reason. */
export function useAddToCart(): (product: ProductJson, milli?: number) => AddOutcome {
  const { t } = useI18n()
  return (product, milli) => {
    const outcome = addToCart(product, milli)
    if (outcome === 'added') showToast(t('catalog.added'), { milliseconds: ADDED_TOAST_MS })
    else showAddError({ reason: outcome, productId: product.id, name: product.product_type })
    return outcome
  }
}

/** Adds products that were pressed before hydration. Those of other pages are added without a toast. */
export function usePendingProducts(): void {
  const add = useAddToCart()
  useEffect(() => {
    addLeft()
    for (const [, product, milli] of takePending('own')) add(product, milli)
    const onStorage = ({ key }: StorageEvent) => {
      if (key === PENDING_KEY) addLeft()
    }
    addEventListener('storage', onStorage)
    // A page prerendered in the background gets no storage events.
    document.addEventListener('visibilitychange', addLeft)
    return () => {
      removeEventListener('storage', onStorage)
      document.removeEventListener('visibilitychange', addLeft)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- hydration happens once
  }, [])
}

function addLeft(): void {
  for (const [, product, milli] of takePending('others')) {
    const outcome = addToCart(product, milli)
    if (outcome === 'cart-full' || outcome === 'not-stored')
      showAddError({ reason: outcome, productId: product.id, name: product.product_type })
  }
}
