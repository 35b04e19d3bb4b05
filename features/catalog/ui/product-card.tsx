import type { ReactNode } from 'react'
import { Picture } from '#components/picture.tsx'
import { ButtonLink, Button } from '#components/button.tsx'
import { ImagesIcon, PlayIcon } from '#components/icons.tsx'
import { localizeDigits, formatKg, formatQuantity, toMilli } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { isInCategory } from '../category-keys.ts'
import { productHref } from '../product-href.ts'
import { parseSizes } from '../quantity-rules.ts'
import { cardAction, isOrderable, type ListingKind } from '../rules.ts'
import type { ProductJson } from '../types.ts'
import { EarTag } from './ear-tag.tsx'
import { CARD_SIZES } from './picture-sizes.ts'
import { Ribbon } from './ribbon.tsx'

export type CardKind = ListingKind | 'search'

interface CardProps {
  product: ProductJson
  kind?: CardKind
  /** Visible without scrolling: its picture loads eagerly. */
  first?: boolean
  /** A label for products that are in the cart. */
  inCart: ReactNode
  price: ReactNode
  /** Quantities with their price, above the button. */
  packs: ReactNode
  /** The button of products that can be added to the cart. */
  addToCart: ReactNode
  /** Opens photos and video over the list. */
  onMedia?: (product: ProductJson) => void
}

/** A product in a list: picture, name, weight or sizes, price, note, delivery date, one action. */
export function ProductCard({ product, kind = 'general', first = false, inCart, price, packs, addToCart, onMedia }: CardProps) {
  const href = productHref(product)
  const gone = product.status === 'sold' || product.status === 'out-of-stock'
  return (
    <article className="card" data-product={product.id} data-status={product.status}>
      <div className="relative aspect-4/3 overflow-hidden bg-sand">
        <a href={href} tabIndex={-1} aria-hidden="true" className={`block h-full ${gone ? 'saturate-[.35]' : ''}`}>
          {product.picture ? <Picture picture={product.picture} alt="" sizes={CARD_SIZES} first={first} light /> : <NoPicture />}
        </a>
        <CardRibbon product={product} kind={kind} />
        {product.tag_number ? <EarTag number={product.tag_number} className="absolute start-2 top-2 text-sm" /> : null}
        <MediaButton product={product} onMedia={onMedia} />
        {inCart}
      </div>
      <div className="card-body">
        <h3 className="text-base">
          <a href={href} className="line-clamp-2 underline-offset-4 hover:underline">
            {product.product_type}
          </a>
        </h3>
        <Measure product={product} />
        <div className="mt-0.5">{price}</div>
        {product.note ? <p className="line-clamp-2 text-sm break-words text-stone">{product.note}</p> : null}
        <DeliveryDay product={product} />
        <div className="mt-auto pt-2">
          <CardActions
            product={product}
            kind={kind}
            add={
              product.is_unique ? (
                addToCart
              ) : (
                <div className="grid gap-2">
                  {packs}
                  {addToCart}
                </div>
              )
            }
          />
        </div>
      </div>
    </article>
  )
}

function NoPicture() {
  return (
    <span className="grid h-full place-items-center text-line">
      <ImagesIcon size={48} />
    </span>
  )
}

/** Live weight and day of weighing of an animal, or the sizes of a product that cannot be added now: the packs show them else. */
function Measure({ product }: { product: ProductJson }) {
  const { t, lang } = useI18n()
  if (product.weight_kg !== null) {
    return (
      <p className="text-sm">
        <b className="tabular-nums">{formatKg(toMilli(product.weight_kg), lang)}</b>
        {product.weighed_on ? (
          <span className="text-stone max-sm:block">
            <span className="max-sm:hidden"> · </span>
            {t('catalog.weighed-on', { day: formatDay(product.weighed_on, lang) })}
          </span>
        ) : null}
      </p>
    )
  }
  const sizes = parseSizes(product.size)
  if (sizes.length === 0 || isOrderable(product.status)) return null
  const last = sizes.at(-1) ?? 0
  const list = [
    ...sizes.slice(0, -1).map((milli) => localizeDigits(lang, String(milli / 1000))),
    formatQuantity(last, product.unit, lang),
  ].join(', ')
  return (
    <p className="text-sm text-stone">
      <span className="sr-only">{t('product.sizes')} </span>
      {list}
    </p>
  )
}

function DeliveryDay({ product }: { product: ProductJson }) {
  const { t, lang } = useI18n()
  if (!product.delivery_date || product.status === 'sold' || product.status === 'out-of-stock') return null
  return <p className="text-sm text-stone">{t('catalog.delivery-from', { day: formatDay(product.delivery_date, lang) })}</p>
}

function CardRibbon({ product, kind }: { product: ProductJson; kind: CardKind }) {
  const { t } = useI18n()
  const { ribbon } = cardAction(product.status, kind === 'kurbani' ? 'kurbani' : 'general')
  const kurbani = kind === 'kurbani'
  if (ribbon === 'pre-order') return <Ribbon kind="pre-order" text={t('catalog.ribbon.pre-order')} />
  if (ribbon === 'on-hold') return <Ribbon kind="on-hold" text={t('catalog.badge.on-hold')} />
  if (kurbani && product.status === 'sold') return <Ribbon kind="sold-out" text={t('catalog.badge.sold-out')} />
  // Outside the Kurbani list a sold product has no action by the specification; the ribbon shows why.
  if (ribbon === 'sold-out' || product.status === 'sold') return <Ribbon kind="sold-out" text={t('catalog.ribbon.sold-out')} />
  return null
}

function CardActions({ product, kind, add }: { product: ProductJson; kind: CardKind; add: ReactNode }) {
  const { t } = useI18n()
  const { action } = cardAction(product.status, kind === 'kurbani' ? 'kurbani' : 'general')
  const named = (text: string) => `${text}: ${product.product_type}`
  const details = (
    <ButtonLink kind="secondary" full href={`/product/${product.id}`} aria-label={named(t('catalog.details'))}>
      {t('catalog.details')}
    </ButtonLink>
  )
  switch (action) {
    case 'add-to-cart': {
      const withDetails = kind === 'search' && product.status === 'in-stock' && isInCategory(product, 'kurbani')
      return withDetails ? (
        <div className="grid gap-2">
          {add}
          {details}
        </div>
      ) : (
        add
      )
    }
    case 'wait':
      return kind === 'kurbani' ? (
        <ButtonLink kind="wait" full href={`/order/place/${product.id}`} aria-disabled="true" aria-label={named(t('catalog.wait'))}>
          {t('catalog.wait')}
        </ButtonLink>
      ) : (
        <Button full disabled kind="wait" aria-label={named(t('catalog.soon'))}>
          {t('catalog.soon')}
        </Button>
      )
    case 'out-of-stock':
      return <p className="grid min-h-11 place-items-center rounded-card bg-sand font-semibold text-stone">{t('catalog.out-of-stock')}</p>
    case 'details':
      return details
    case 'none':
      return null
  }
}

function MediaButton({ product, onMedia }: { product: ProductJson; onMedia?: (product: ProductJson) => void }) {
  const { t, lang } = useI18n()
  const count = product.images.length + product.media.length
  if (!onMedia || count < 2) return null
  return (
    <button
      type="button"
      aria-label={`${localizeDigits(lang, String(count))} · ${t('catalog.see-media', { name: product.product_type })}`}
      className="card-media needs-script"
      onClick={() => onMedia(product)}
    >
      {product.media.length > 0 ? <PlayIcon size={14} /> : <ImagesIcon size={16} />}
      <span className="tabular-nums">{localizeDigits(lang, String(count))}</span>
    </button>
  )
}
