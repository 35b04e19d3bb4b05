import { memo, Suspense, useState } from 'react'
import { laterPart } from '#components/later-part.tsx'
import { Skeleton } from '#components/skeleton.tsx'
import { AddToCartButton } from '#features/cart/ui/add-button.tsx'
import { Packs } from '#features/cart/ui/packs.tsx'
import { InCartMark } from '#features/cart/ui/in-cart-mark.tsx'
import { Price } from '#features/pricing/ui/price.tsx'
import { useI18n } from '#page/page-context.tsx'
import type { ProductJson } from '#features/catalog/types.ts'
import { CompareLink } from '../compare/compare-link.tsx'
import { type CardKind, ProductCard } from '#features/catalog/ui/product-card.tsx'

const MediaModal = laterPart(() => import('#features/catalog/ui/media-modal.tsx').then((part) => part.MediaModal))

const SKELETONS = 20
const GRID = 'card-grid gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-4'
const LAYOUTS = {
  grid: { list: `${GRID} lazy-cards`, item: '' },
  // A row to be pushed along on a phone, a grid where there is room. `relative` holds hidden texts inside: they would widen the page.
  strip: {
    list: 'relative flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-3 [scrollbar-width:none] lg:grid lg:grid-cols-4 lg:gap-4 lg:overflow-visible',
    item: 'w-[44vw] max-w-56 min-w-39 shrink-0 snap-start lg:w-auto lg:max-w-none',
  },
}

interface GridProps {
  products: ProductJson[]
  kind?: CardKind
  /** The number of cards that are visible without scrolling. */
  firstCount?: number
  label: string
  layout?: keyof typeof LAYOUTS
}

interface CardProps {
  product: ProductJson
  kind?: CardKind
  first: boolean
  onMedia: (product: ProductJson) => void
}

/** Rendered again only when its own product changes. */
const Card = memo(function Card({ product, ...rest }: CardProps) {
  return (
    <ProductCard
      {...rest}
      product={product}
      inCart={<InCartMark productId={product.id} />}
      price={<Price product={product} beside={product.is_unique ? <CompareLink product={product} /> : null} />}
      packs={<Packs product={product} />}
      addToCart={<AddToCartButton product={product} />}
    />
  )
})

/** A grid of cards: two columns on phones, four on desktops. Each card is hydrated on its own, so that a long list does not block the page. */
export function ProductGrid({ products, kind, firstCount = 0, label, layout = 'grid' }: GridProps) {
  const [shown, setShown] = useState<ProductJson | null>(null)
  return (
    <>
      <ul aria-label={label} className={LAYOUTS[layout].list}>
        {products.map((product, index) => (
          <li key={product.id} className={LAYOUTS[layout].item}>
            <Suspense>
              <Card product={product} kind={kind} first={index < firstCount} onMedia={setShown} />
            </Suspense>
          </li>
        ))}
      </ul>
      {shown ? <MediaModal product={shown} onClose={() => setShown(null)} /> : null}
    </>
  )
}

/** A page of grey cards, as large as true ones. */
export function GridSkeleton() {
  const { t } = useI18n()
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        {t('catalog.loading')}
      </p>
      <div className={GRID} data-skeletons={SKELETONS}>
        {Array.from({ length: SKELETONS }, (_, index) => (
          <div key={index} className="overflow-hidden rounded-card border border-line bg-milk">
            <Skeleton className="aspect-4/3 rounded-none" />
            <div className="flex min-h-60 flex-col gap-2.5 p-3.5 max-sm:min-h-66">
              <Skeleton className="h-5 w-11/12" />
              <Skeleton className="h-4 w-2/3" />
              <Skeleton className="mt-1 h-7 w-3/5" />
              <Skeleton className="h-4 w-2/5" />
              <Skeleton className="h-4 w-3/4" />
              <Skeleton className="mt-auto h-11" />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
