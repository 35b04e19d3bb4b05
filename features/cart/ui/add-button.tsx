import { useSyncExternalStore } from 'react'
import { Button, ButtonLink, type ButtonSize } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { CartIcon } from '#components/icons.tsx'
import { showToast } from '#components/toast.tsx'
import type { ProductJson } from '#features/catalog/types.ts'
import { useI18n } from '#site/app-root.tsx'
import { addToCart, cartIsKept } from './cart-store.ts'

const ADDED_TOAST_MS = 1500
const UNKEPT_TOAST_MS = 15_000

let duplicateShown = false
const listeners = new Set<() => void>()

function showDuplicate(shown: boolean): void {
  duplicateShown = shown
  for (const listener of listeners) listener()
}

/** Adds a product and says what came of it; a product that is there already raises the dialog. */
export function useAddToCart(): (product: ProductJson) => 'added' | 'already-in-cart' | 'cart-full' {
  const { t } = useI18n()
  return (product) => {
    const outcome = addToCart(product)
    if (outcome === 'added' && !cartIsKept()) showToast(t('catalog.cart-unkept'), { kind: 'error', milliseconds: UNKEPT_TOAST_MS })
    else if (outcome === 'added') showToast(t('catalog.added'), { milliseconds: ADDED_TOAST_MS })
    else if (outcome === 'already-in-cart') showDuplicate(true)
    else showToast(t('catalog.cart-full'), { kind: 'error' })
    return outcome
  }
}

/** The button that puts a product into the cart. */
export function AddToCartButton({
  product,
  size,
  kind = 'primary',
}: {
  product: ProductJson
  size?: ButtonSize
  kind?: 'primary' | 'secondary' | 'tag'
}) {
  const { t } = useI18n()
  const add = useAddToCart()
  return (
    <Button full size={size} kind={kind} onClick={() => add(product)} aria-describedby={`name-${product.id}`}>
      <CartIcon size={20} className="shrink-0 max-[380px]:hidden" />
      {t('catalog.add-to-cart')}
    </Button>
  )
}

/** Refuses a second line of the same product; once a page. */
export function DuplicateDialog() {
  const { t } = useI18n()
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => duplicateShown,
    () => false,
  )
  return (
    <Dialog
      open={shown}
      onClose={() => showDuplicate(false)}
      title={t('catalog.duplicate-title')}
      closeLabel={t('shell.close')}
      actions={
        <>
          <Button kind="secondary" onClick={() => showDuplicate(false)}>
            {t('catalog.continue-shopping')}
          </Button>
          <ButtonLink href="/cart">{t('catalog.go-to-cart')}</ButtonLink>
        </>
      }
    >
      <p>{t('catalog.duplicate-text')}</p>
    </Dialog>
  )
}
