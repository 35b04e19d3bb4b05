import type { MouseEvent } from 'react'
import { ButtonLink } from '#components/button.tsx'
import { AddToCartButton } from '#features/cart/ui/add-button.tsx'
import { showAddError } from '#features/cart/ui/add-refusal.tsx'
import { addToCart, useInCart } from '#features/cart/ui/cart-store.ts'
import { CheckIcon } from '#components/icons.tsx'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import { useI18n } from '#page/page-context.tsx'

/** What can be done with a product now. Without script 'Order Now' leads to the one-page order form. */
export function ProductActions({ product }: { product: ProductDetailJson }) {
  const { t } = useI18n()
  const inCart = useInCart(product.id)
  const orderForm = `/order/place/${product.id}`
  const toCart = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    const outcome = addToCart(product)
    if (outcome === 'added' || outcome === 'already-in-cart') location.assign('/cart')
    else showAddError({ reason: outcome, productId: product.id, name: product.product_type })
  }
  switch (product.status) {
    case 'in-stock':
    case 'pre-book':
      return (
        <div>
          {inCart ? (
            <p className="mb-1.5 flex items-center gap-1.5 text-sm font-semibold text-leaf-600">
              <CheckIcon size={16} />
              <a href="/cart" className="-my-2.5 py-2.5 underline underline-offset-4">
                {t('catalog.in-cart')}
              </a>
            </p>
          ) : null}
          <div className="grid auto-cols-fr grid-flow-col gap-2">
            <ButtonLink kind={inCart ? 'primary' : 'secondary'} href={orderForm} onClick={toCart} data-add={product.id}>
              {t('catalog.order-now')}
            </ButtonLink>
            <AddToCartButton product={product} />
          </div>
        </div>
      )
    case 'hold':
      return (
        <ButtonLink kind="wait" full href={orderForm} aria-disabled="true">
          {t('catalog.wait')}
        </ButtonLink>
      )
    case 'out-of-stock':
      return <p className="grid min-h-11 place-items-center text-stone">{t('product.unavailable')}</p>
    case 'sold':
      return <p className="grid min-h-11 place-items-center text-stone">{t('catalog.status.sold')}</p>
  }
}
