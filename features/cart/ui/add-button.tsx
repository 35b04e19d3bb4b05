import { Button, type ButtonSize } from '#components/button.tsx'
import { CartIcon } from '#components/icons.tsx'
import { showToast } from '#components/toast.tsx'
import type { ProductJson } from '#features/catalog/types.ts'
import { useI18n } from '#site/app-root.tsx'
import { showAddRefusal } from './cart-dialog.tsx'
import { addToCart } from './cart-store.ts'

const ADDED_TOAST_MS = 1500

/** The button that puts a product into the cart, and says so; a product that is not added raises the dialog. */
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
  const add = () => {
    const outcome = addToCart(product)
    if (outcome === 'added') showToast(t('catalog.added'), { milliseconds: ADDED_TOAST_MS })
    else showAddRefusal({ reason: outcome, productId: product.id, name: product.product_type })
  }
  return (
    <Button full size={size} kind={kind} onClick={add} className="needs-script" aria-describedby={`name-${product.id}`}>
      <CartIcon size={20} className="shrink-0 max-[26rem]:hidden" />
      {t('catalog.add-to-cart')}
    </Button>
  )
}
