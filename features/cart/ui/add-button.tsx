import { Button } from '#components/button.tsx'
import { CartIcon } from '#components/icons.tsx'
import type { ProductJson } from '#features/catalog/types.ts'
import { useI18n } from '#page/page-context.tsx'
import { useInCart } from './cart-store.ts'
import { useAddToCart } from './use-add-to-cart.ts'

/** Adds a product to the cart and shows a toast, or a dialog with the reason when it is not added. */
export function AddToCartButton({ product }: { product: ProductJson }) {
  const { t } = useI18n()
  const add = useAddToCart()
  const inCart = useInCart(product.id)
  return (
    <Button
      full
      kind={inCart ? 'secondary' : 'primary'}
      onClick={() => add(product)}
      data-add={product.id}
      className="needs-script"
      aria-label={`${t('catalog.add-to-cart')}: ${product.product_type}`}
    >
      <CartIcon size={20} className="shrink-0 max-[26rem]:hidden" />
      {t('catalog.add-to-cart')}
    </Button>
  )
}
