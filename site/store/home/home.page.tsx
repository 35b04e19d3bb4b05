import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { Alpona } from '#components/alpona.tsx'
import { ButtonLink } from '#components/button.tsx'
import { ScaleIcon, TruckIcon, CowIcon } from '#components/icons.tsx'
import { pictureBackground, pictureSrcset } from '#components/responsive-image.ts'
import { DEFAULT_LISTING, listingPath, type ListingQuery } from '#features/catalog/listing-query-rules.ts'
import type { WeightBand } from '#features/catalog/rules.ts'
import type { ListingJson, Picture, PopupJson, ProductJson, SlotJson } from '#features/catalog/types.ts'
import { HERO } from '#features/catalog/ui/picture-sizes.ts'
import { useStatusRefresh } from '#features/catalog/ui/use-status-refresh.ts'
import { useI18n } from '#page/page-context.tsx'
import { Listing } from '../listing/listing.tsx'
import { useListing } from '../listing/use-listing.ts'
import { StoreLayout } from '../layout.tsx'
import type { Popup as CampaignPopup } from './popup.tsx'
import { Slot } from './slot.tsx'

export interface Props {
  popup: PopupJson | null
  slots: SlotJson[]
  listing: ListingJson
  query: ListingQuery
  bands: WeightBand[]
  hero: { wide: Picture | null; tall: Picture | null }
}

const POPUP_DELAY_MS = 300
const SOURCE = { path: '/', api: '/api/products', category: null } as const

export function Page({ popup, slots, listing, query, bands, hero }: Props) {
  const { t } = useI18n()
  const list = useListing(SOURCE, { listing, query })
  const all = useMemo(() => distinct([...slots.flatMap((slot) => slot.products), ...list.listing.products]), [slots, list.listing])
  const { products, news } = useStatusRefresh(all)
  const now = new Map(products.map((product) => [product.id, product]))
  const current = (some: ProductJson[]) => some.map((product) => now.get(product.id) ?? product)
  // A visitor with a weight in the URL wants the list first.
  const listFirst = listingPath('/', query) !== listingPath('/', DEFAULT_LISTING)
  const listingSection = (
    <div
      id="all-products"
      className={`mx-auto mt-10 max-w-6xl px-4 ${listFirst ? '' : 'lazy-section [contain-intrinsic-block-size:auto_4700px]'}`}
    >
      <h2 className="mb-3 text-2xl">{t('home.all-products')}</h2>
      <Listing
        list={list}
        products={current(list.listing.products)}
        bands={bands}
        bandsTitle={t('home.bands')}
        heading={t('home.all-products')}
        firstCount={listFirst ? 2 : 0}
      />
    </div>
  )
  return (
    <StoreLayout>
      {/* First: once it is closed, Tab goes on from here. */}
      <LaterPopup popup={popup} />
      <Hero hero={hero} />
      <Promises />
      {listFirst ? listingSection : null}
      {slots.map((slot) => (
        <Slot key={slot.slot_name} name={slot.slot_name} products={current(slot.products)} seeAll={slot.see_all ?? null} />
      ))}
      {listFirst ? null : listingSection}
      <p className="sr-only" role="status">
        {news}
      </p>
    </StoreLayout>
  )
}

const Nothing: typeof CampaignPopup = () => <></>
const Popup = lazy(() =>
  import('./popup.tsx').then(
    (module) => ({ default: module.Popup }),
    () => ({ default: Nothing }),
  ),
)

/** Loads the campaign once per browser, after the page is idle, so that a phone does not render both concurrently. */
function LaterPopup({ popup }: { popup: PopupJson | null }) {
  const [isDue, setIsDue] = useState(false)
  const isRequested = popup !== null && popup.shown === 'false' && popup.image !== null
  useEffect(() => {
    if (!isRequested) return
    const timer = setTimeout(() => setIsDue(true), POPUP_DELAY_MS)
    return () => clearTimeout(timer)
  }, [isRequested])
  return isDue && popup ? (
    <Suspense>
      <Popup popup={popup} />
    </Suspense>
  ) : null
}

function distinct(products: ProductJson[]): ProductJson[] {
  return [...new Map(products.map((product) => [product.id, product])).values()]
}

function Hero({ hero }: { hero: Props['hero'] }) {
  const { t } = useI18n()
  return (
    <section className="relative bg-leaf-800 text-paper lg:mx-auto lg:mt-4 lg:max-w-6xl lg:overflow-hidden lg:rounded-card">
      {hero.wide && hero.tall ? (
        <HeroPicture wide={hero.wide} tall={hero.tall} />
      ) : (
        // The ornament is wider than a phone.
        <div aria-hidden="true" className="absolute inset-0 overflow-hidden">
          <Alpona className="absolute -end-16 -top-10 size-96 text-paper/35" />
        </div>
      )}
      <div
        className={
          hero.wide
            ? 'absolute inset-0 flex flex-col p-5 text-leaf-800 max-sm:bg-[linear-gradient(rgb(251_248_241/.86),rgb(251_248_241/.6)_26%,transparent_44%)] lg:p-10'
            : 'relative flex min-h-96 flex-col p-5 lg:p-10'
        }
      >
        <h1 className="max-w-[11em] text-3xl sm:text-4xl lg:text-5xl">{t('home.hero-title')}</h1>
        <span className="ear-tag mt-3 -rotate-3 self-start px-3 py-1 text-lg shadow-soft lg:mt-5 lg:text-2xl">
          {t('catalog.best-price')}
        </span>
        <div className="mt-auto flex flex-wrap items-center gap-3 lg:mt-8">
          <ButtonLink href="/beef" size="large" className="shadow-soft">
            {t('catalog.order-now')}
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}

function HeroPicture({ wide, tall }: { wide: Picture; tall: Picture }) {
  const { t } = useI18n()
  const { tallSizes, wideSizes } = HERO
  return (
    <picture className="contents">
      <source
        media={HERO.phones}
        type="image/avif"
        srcSet={pictureSrcset(tall, 'avif')}
        sizes={tallSizes}
        width={tall.width}
        height={tall.height}
      />
      <source
        media={HERO.phones}
        type="image/webp"
        srcSet={pictureSrcset(tall, 'webp')}
        sizes={tallSizes}
        width={tall.width}
        height={tall.height}
      />
      <source type="image/avif" srcSet={pictureSrcset(wide, 'avif')} sizes={wideSizes} />
      <img
        src={`/uploads/${wide.token}-800.webp`}
        srcSet={pictureSrcset(wide, 'webp')}
        sizes={wideSizes}
        width={wide.width}
        height={wide.height}
        alt={t('home.hero-alt')}
        fetchPriority="high"
        className="aspect-[9/10] w-full object-cover sm:aspect-2/1 lg:object-bottom"
        style={{ background: pictureBackground(wide) }}
      />
    </picture>
  )
}

const PROMISES = [
  { key: 'own', Icon: CowIcon },
  { key: 'weighed', Icon: ScaleIcon },
  { key: 'delivered', Icon: TruckIcon },
] as const

/** The promises of the farm, on leaf green with its flower. */
function Promises() {
  const { t } = useI18n()
  return (
    <section
      aria-label={t('shell.weighed')}
      className="relative overflow-hidden bg-leaf-800 text-paper lg:mx-auto lg:mt-3 lg:max-w-6xl lg:rounded-card"
    >
      <Alpona className="absolute -end-24 -bottom-24 size-60 text-paper/30 sm:-end-16 sm:size-72" />
      <div className="relative px-5 py-6 lg:px-10">
        <p className="max-w-[60ch]">{t('home.hero-text')}</p>
        <ul className="mt-4 grid gap-3 sm:grid-cols-3">
          {PROMISES.map(({ key, Icon }) => (
            <li key={key} className="flex items-start gap-3">
              <span className="grid size-10 shrink-0 place-items-center rounded-pill bg-tag text-ink">
                <Icon size={22} />
              </span>
              <span>
                <b className="block">{t(`home.why.${key}`)}</b>
                <span className="text-paper/90">{t(`home.why.${key}-text`)}</span>
              </span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
