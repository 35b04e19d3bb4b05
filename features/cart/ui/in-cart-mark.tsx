import { CheckIcon } from '#components/icons.tsx'
import { useI18n } from '#page/page-context.tsx'
import { useInCart } from './cart-store.ts'

/** A label on the picture of a product that is in the cart. */
export function InCartMark({ productId }: { productId: number }) {
  const { t } = useI18n()
  if (!useInCart(productId)) return null
  return (
    <a
      href="/cart"
      className="in-cart-mark rise absolute start-2 bottom-2 inline-flex min-h-8 items-center gap-1 rounded-pill bg-leaf-600 ps-2 pe-2.5 text-xs font-semibold text-white"
    >
      <CheckIcon size={14} />
      {t('catalog.in-cart')}
    </a>
  )
}
