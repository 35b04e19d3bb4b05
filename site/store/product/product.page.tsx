import { type MouseEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { CattleNoteList } from '#features/catalog/ui/cattle-notes.tsx'
import { InfoIcon } from '#components/icons.tsx'
import { QrCode } from '#components/qr-code.tsx'
import { ServerOnly } from '#components/server-only.tsx'
import type { CattleNotes } from '#features/catalog/cattle-notes.ts'
import type { Particular } from '#features/catalog/products/particulars.server.ts'
import { isOrderable } from '#features/catalog/rules.ts'
import type { ProductDetailJson, ProductJson } from '#features/catalog/types.ts'
import type { ProductReviewsJson } from '#features/reviews/types.ts'
import { Price } from '#features/pricing/ui/price.tsx'
import { ProductGrid } from '../listing/product-grid.tsx'
import { useStatusRefresh } from '#features/catalog/ui/use-status-refresh.ts'
import { WeighIns } from '#features/catalog/ui/weigh-chart.tsx'
import type { QrDrawing } from '#lib/codes/qr-code.server.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { CompareLink } from '../compare/compare-link.tsx'
import { Gallery } from './gallery.tsx'
import { StoreLayout } from '../layout.tsx'
import { PlainText } from '#components/plain-text.tsx'
import { Packs } from '#features/cart/ui/packs.tsx'
import { ProductActions } from './product-actions.tsx'
import { ProductProperties } from './product-properties.tsx'
import { RatingLine, ReviewSection } from './reviews.static.tsx'
import { ShareProduct } from './share.static.tsx'
import { WaitButton } from '../wait/wait-button.tsx'
import { StatusLine } from './status-line.tsx'

export interface Props {
  product: ProductDetailJson
  particulars: Particular[]
  notes: CattleNotes | null
  similar: ProductJson[]
  /** Breadcrumbs: the list of the product. */
  trail: { href: string; label: string }[]
  /** The QR code of an animal's public card. */
  qr: QrDrawing | null
  reviews: ProductReviewsJson
  /** The address of the product, with host. */
  shareUrl: string
}

/** How many quantities the page offers. */
const PACKS = 4

/** `lead` is shown above the product in the preview for the staff. */
export function Page({ product: initial, particulars, notes, similar, trail, qr, reviews, shareUrl, lead }: Props & { lead?: ReactNode }) {
  const { t } = useI18n()
  const { product: loaded, loading, follow } = useProduct(initial)
  const {
    products: [product = loaded],
    news,
    // The preview is of products that the shop may not show.
  } = useStatusRefresh(lead ? [] : [loaded])
  const { products: others } = useStatusRefresh(similar)
  useEffect(() => follow(product.price), [follow, product.price])
  return (
    <StoreLayout bar={<ProductActions product={product} />}>
      <div className="mx-auto max-w-6xl lg:px-4">
        {lead}
        <Trail trail={trail} />
        <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
          <div className="min-w-0">
            <Gallery product={product} />
          </div>
          <div className="min-w-0 px-4 lg:row-span-2 lg:px-0">
            <h1 className="text-2xl lg:text-3xl">{product.product_type}</h1>
            <ServerOnly id="rating">{import.meta.env.SSR ? <RatingLine reviews={reviews} /> : null}</ServerOnly>
            <StatusLine product={product} loading={loading} />
            <div className="mt-2">
              <Price product={product} large />
            </div>
            {product.is_unique ? <CompareLink product={product} /> : null}
            <div className="mt-3 empty:hidden">
              <WaitButton product={product} />
            </div>
            {isOrderable(product.status) ? (
              <div className="packs-large mt-3">
                <Packs product={product} count={PACKS} stockMilli={product.max_quantity === null ? null : product.max_quantity * 1000} />
              </div>
            ) : null}
            {product.note ? (
              <p className="stitch mt-4 flex gap-2 rounded-card bg-tag-100 px-3 py-2 text-ink">
                <InfoIcon className="mt-0.5 shrink-0" />
                <span className="min-w-0 wrap-anywhere">
                  <span className="sr-only">{t('product.note')}: </span>
                  {product.note}
                </span>
              </p>
            ) : null}
            <div className="mt-5 hidden lg:block">
              <ProductActions product={product} />
            </div>
            <ServerOnly id="share" onClick={share}>
              {import.meta.env.SSR ? <ShareProduct name={product.product_type} url={shareUrl} /> : null}
            </ServerOnly>
            <ProductProperties product={product} particulars={particulars} />
            <MustRead notes={notes} product={product} />
          </div>
          <div className="lazy-section min-w-0 px-4 [contain-intrinsic-block-size:auto_600px] lg:px-0">
            {product.weigh_ins.length > 0 ? (
              <section aria-labelledby="weigh-ins" className="mb-8">
                <h2 id="weigh-ins" className="mb-2 text-xl">
                  {t('product.weigh-ins')}
                </h2>
                <WeighIns weighIns={product.weigh_ins} />
              </section>
            ) : null}
            {qr ? <PublicCard product={product} qr={qr} /> : null}
            {product.description ? (
              <section aria-labelledby="description">
                <h2 id="description" className="mb-2 text-xl">
                  {t('product.description')}
                </h2>
                <PlainText text={product.description} />
              </section>
            ) : null}
          </div>
        </div>
        <ServerOnly id="product-reviews">
          {import.meta.env.SSR ? <ReviewSection productId={product.id} reviews={reviews} /> : null}
        </ServerOnly>
        {others.length > 0 ? (
          <section aria-labelledby="similar" className="lazy-section mt-10 [contain-intrinsic-block-size:auto_430px]">
            <h2 id="similar" className="mb-3 px-4 text-xl lg:px-0">
              {t('product.similar')}
            </h2>
            <div className="lg:-mx-4">
              <ProductGrid products={others} label={t('product.similar')} layout="strip" />
            </div>
          </section>
        ) : null}
      </div>
      <p className="sr-only" role="status">
        {news}
      </p>
    </StoreLayout>
  )
}

/** The code is loaded by the first press. */
function share({ target }: MouseEvent): void {
  const { dataset } = (target as Element).closest<HTMLElement>('[data-share]') ?? {}
  if (dataset) void import('./share-product.ts').then(({ shareProduct }) => shareProduct(dataset)).catch(() => {})
}

/** A link to the animal's public card, with its weights and health records but without a price. On a phone the link is enough. */
function PublicCard({ product, qr }: { product: ProductDetailJson; qr: QrDrawing }) {
  const { t } = useI18n()
  return (
    <a
      href={product.qr_url}
      className="mb-8 flex items-center gap-4 rounded-card border border-line bg-milk p-3 underline-offset-4 hover:underline"
    >
      <QrCode drawing={qr} label={t('product.public-card-code')} className="size-28 shrink-0 rounded-tag max-sm:hidden" />
      <span>
        <b className="block text-leaf-800">{t('product.public-card')}</b>
        <span className="text-sm text-stone">{t('product.public-card-text')}</span>
      </span>
    </a>
  )
}

/** The notes for buyers of cattle, unless the animal is sold. */
function MustRead({ notes, product }: { notes: CattleNotes | null; product: ProductDetailJson }) {
  const { t } = useI18n()
  if (!notes || product.status === 'sold') return null
  return (
    <section
      aria-labelledby="must-read"
      className="lazy-section stitch mt-6 rounded-card bg-milk p-4 text-leaf-600 [contain-intrinsic-block-size:auto_420px]"
    >
      <h2 id="must-read" className="mb-2 flex items-center gap-2 text-xl text-ink">
        <InfoIcon className="shrink-0 text-mango" />
        {t('product.must-read')}
      </h2>
      <div className="text-ink">
        <CattleNoteList notes={notes} />
      </div>
    </section>
  )
}

function Trail({ trail }: { trail: Props['trail'] }) {
  const { t } = useI18n()
  return (
    <nav aria-label={t('shell.trail')} className="px-4 py-2 text-sm lg:px-0">
      <ol className="flex flex-wrap items-center gap-x-2">
        {trail.map(({ href, label }, index) => (
          <li key={href} className="flex items-center gap-2">
            {index > 0 ? (
              <span aria-hidden="true" className="text-stone">
                &rsaquo;
              </span>
            ) : null}
            <a href={href} className="inline-flex min-h-11 items-center text-leaf-800 underline-offset-4 hover:underline">
              {label}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The product. When a refresh finds another price, the whole product is loaded again, because other fields may differ too. */
function useProduct(initial: ProductDetailJson) {
  const { lang } = useI18n()
  const [state, setState] = useState({ product: initial, loading: false })
  const known = useRef(initial.price)
  const follow = useCallback(
    (price: number) => {
      if (price === known.current) return
      known.current = price
      setState((before) => ({ ...before, loading: true }))
      void call<ProductDetailJson | null>(`/api/products/${initial.id}?lang=${lang}`, { cache: 'no-cache' }).then((answer) =>
        setState((before) => ({ product: (answer.ok && answer.body) || before.product, loading: false })),
      )
    },
    [initial.id, lang],
  )
  return { ...state, follow }
}
