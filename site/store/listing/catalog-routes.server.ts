import { readId } from '#lib/format/id.ts'
import { derivedUrl } from '#lib/files/derived-picture.ts'
import { organizationJsonLd } from './organization.server.ts'
import type { CachedCategory } from '#features/catalog/categories/category-cache.server.ts'
import { staffMay } from '#features/auth/staff-access.ts'
import { categoryPath, findByKey } from '#features/catalog/category-keys.ts'
import {
  cattleNotes,
  currentRates,
  findPolicyPage,
  findProductName,
  isWithdrawn,
  productNotes,
} from '#features/catalog/page-queries.server.ts'
import { POLICY_SLUGS, type PolicySlug } from '#features/catalog/policies/slugs.ts'
import { productJson } from '#features/catalog/product-rows.server.ts'
import { listParticulars } from '#features/catalog/products/particulars.server.ts'
import { weightBands } from '#features/catalog/weight-band-rules.ts'
import { findPopup, findProduct, listSlots } from '#features/catalog/queries.server.ts'
import { findProductReviews, listProductReviews } from '#features/reviews/queries.server.ts'
import { parseCursor } from '#lib/db/keyset.ts'
import { listSimilar } from '#features/search/list-products.server.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { formatKg, formatNumber } from '#lib/format/numbers.ts'
import { searchTerm } from '#lib/format/search-term.ts'
import type { SearchFilter } from '#features/search/search-filter-rules.ts'
import { findStock } from '#features/kurbani/queries.server.ts'
import { pictureSrcset } from '#components/responsive-image.ts'
import type { ListingJson, Picture, SlotJson } from '#features/catalog/types.ts'
import { CARD_SIZES, GALLERY_SIZES, HERO } from '#features/catalog/ui/picture-sizes.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import { translate } from '#lib/i18n/translate.ts'
import { drawQr } from '#lib/codes/qr-code.server.ts'
import { shorten } from '#lib/format/text.ts'
import type { Loaded, PageContext, PageRoute, PreloadedPicture } from '#site/page-route.server.ts'
import { listingHead, loadListing } from './listing-data.server.ts'
import { loadCompare } from '../compare/compare-data.server.ts'
import { breadcrumbs, productHead, trailOf } from '../product/product-head.server.ts'

const MAX_FOUND = 40
const MAX_SIMILAR = 8

async function loadHome(context: PageContext): Promise<Loaded<'store/home/home'>> {
  const { db, shopCache, lang, now, popupShown } = context
  const categories = await shopCache.categories()
  const [popup, slots, { listing, query }, rates, settings] = await Promise.all([
    findPopup(db, now, popupShown, lang),
    listSlots(db, lang),
    loadListing(context, null),
    currentRates(db, shopCache, findByKey(categories, 'beef')),
    shopCache.settings(),
  ])
  const t = translate(lang)
  const { wide } = settings.hero
  const image = wide ? derivedUrl(wide, 'og') : null
  const head = listingHead(
    lang,
    '/',
    query,
    { title: t('home.title', { shop: settings.shop.name[lang] }), description: t('home.description') },
    image,
  )
  const jsonLd = [organizationJsonLd(settings, lang, context.publicUrl)]
  return {
    props: {
      popup,
      slots: slots.map((slot) => ({ ...slot, see_all: seeAllOf(slot, categories) })),
      listing,
      query,
      bands: weightBands('beef', rates),
      hero: settings.hero,
    },
    head: { ...head, jsonLd, preload: heroPreload(settings.hero) },
  }
}

/** The page with all of a slot's products, where they share a category. */
function seeAllOf({ products }: SlotJson, categories: readonly CachedCategory[]): string | null {
  const ids = new Set(products.map((product) => product.categories[0]?.id))
  const category = ids.size === 1 ? categories.find(({ id }) => ids.has(id)) : undefined
  return category ? categoryPath(category) : null
}

function heroPreload({ wide, tall }: { wide: Picture | null; tall: Picture | null }): PreloadedPicture[] {
  if (!wide || !tall) return []
  return [
    { ...preloadOf(tall, HERO.tallSizes), media: HERO.phones },
    { ...preloadOf(wide, HERO.wideSizes), media: HERO.others },
  ]
}

function preloadOf(picture: Picture, sizes: string): PreloadedPicture {
  return { srcset: pictureSrcset(picture, 'avif'), sizes }
}

/** The picture of a list in link previews: that of its first product. */
function shareImageOf({ products }: ListingJson): string | null {
  const picture = products[0]?.picture
  return picture ? derivedUrl(picture, 'og') : null
}

/** The first card's picture, where the list begins the page. */
function firstCard({ products }: ListingJson): PreloadedPicture[] {
  const picture = products[0]?.picture
  return picture ? [preloadOf(picture, CARD_SIZES)] : []
}

async function loadBeef(context: PageContext): Promise<Loaded<'store/listing/beef'>> {
  const category = findByKey(await context.shopCache.categories(), 'beef')
  if (!category) return { refuse: 404 }
  const { props, head, rates } = await loadList(context, category, 'beef')
  return { props: { ...props, bands: weightBands('beef', rates) }, head }
}

async function loadFruits(context: PageContext): Promise<Loaded<'store/listing/category'>> {
  const category = findByKey(await context.shopCache.categories(), 'fruits')
  if (!category) return { refuse: 404 }
  const { props, head } = await loadList(context, category, 'fruits')
  const t = translate(context.lang)
  return { props: { ...props, category: { path: '/fruits', name: 'Fruits', title: t('fruits.title'), lead: t('fruits.lead') } }, head }
}

/** The list of a category with its head and its rates. Without a key the head names the category and has breadcrumbs. */
async function loadList(context: PageContext, category: CachedCategory, key: 'beef' | 'fruits' | null) {
  const { db, shopCache, lang, publicUrl } = context
  const [{ listing, query }, rates] = await Promise.all([loadListing(context, category.id), currentRates(db, shopCache, category)])
  const notes = await cattleNotes(shopCache, category, rates, context)
  const t = translate(lang)
  const path = categoryPath(category)
  const label = nameOf(category, lang)
  const words = key
    ? { title: t(`${key}.title`), description: t(`${key}.description`) }
    : { title: label, description: t('category.description', { category: label }) }
  const trail = [
    { href: '/', label: t('shell.home') },
    { href: path, label },
  ]
  const head = { ...listingHead(lang, path, query, words, shareImageOf(listing)), preload: firstCard(listing) }
  return { props: { listing, query, notes }, head: key ? head : { ...head, jsonLd: [breadcrumbs(trail, publicUrl)] }, rates }
}

/** The page of a category that the owner has added. A keyed one has its own. */
async function loadCategory(context: PageContext): Promise<Loaded<'store/listing/category'>> {
  const { shopCache, lang, params } = context
  const found = (await shopCache.categories()).find(({ slug }) => slug === params.slug)
  if (!found) return { refuse: 404 }
  const path = categoryPath(found)
  if (found.key !== null) return { redirect: path }
  const { props, head } = await loadList(context, found, null)
  const texts = { title: nameOf(found, lang), lead: translate(lang)('category.lead') }
  return { props: { ...props, category: { path, name: String(found.id), ...texts } }, head }
}

const nameOf = ({ name_en: english, name_bn: bengali }: CachedCategory, lang: Lang) => (lang === 'bn' ? bengali : english)

/** The Kurbani cows, or the form to pre-book one while none is in stock. */
async function loadKurbani(context: PageContext): Promise<Loaded<'store/kurbani/kurbani'>> {
  const { db, shopCache, search, lang } = context
  const category = findByKey(await shopCache.categories(), 'kurbani')
  if (!category) return { refuse: 404 }
  const [{ listing, query }, rates, stock] = await Promise.all([
    loadListing(context, category.id),
    currentRates(db, shopCache, category),
    findStock(search, category.id),
  ])
  const notes = await cattleNotes(shopCache, category, rates, context)
  const t = translate(lang)
  const words = { title: t('kurbani.title'), description: t('kurbani.description') }
  const head = listingHead(lang, '/kurbani', query, words, shareImageOf(listing))
  return {
    props: { listing, query, bands: weightBands('kurbani', rates), notes, ...stock },
    head,
    page: stock.inStock ? 'store/kurbani/kurbani' : 'store/kurbani/kurbani-booking',
  }
}

async function loadSearch({ search, lang, query }: PageContext): Promise<Loaded<'store/listing/search'>> {
  const requested = shorten((query.q ?? '').slice(0, 400), 100)
  const term = searchTerm(requested)
  const { rows = null, filters = [] } = term ? await search.findWithFilters(term, MAX_FOUND + 1) : {}
  const products = rows?.slice(0, MAX_FOUND).map((row) => productJson(row, lang)) ?? null
  const t = translate(lang)
  const chips = filters.map((filter) => ({ label: filterLabel(filter, lang), href: searchAddress(filter.without) }))
  return {
    props: { query: requested, products, more: (rows?.length ?? 0) > MAX_FOUND, chips },
    head: { title: requested ? t('search.results', { query: requested }) : t('search.title'), canonical: null },
  }
}

const searchAddress = (query: string) => (query === '' ? '/search' : `/search?${new URLSearchParams({ q: query })}`)

/** A filter that was read from a search text: `225–275 kg`, `Up to ৳1,00,000`. */
function filterLabel({ kind, from, to }: SearchFilter, lang: Lang): string {
  const t = translate(lang)
  const value = (amount: number) => (kind === 'price' ? formatTaka(takaToPoisha(amount), lang) : formatKg(amount * 1000, lang))
  if (from === null) return t('search.filter-to', { value: value(to ?? 0) })
  if (to === null) return t('search.filter-from', { value: value(from) })
  return kind === 'price' ? `${value(from)}–${value(to)}` : `${formatNumber(from, lang)}–${value(to)}`
}

async function loadProduct({
  db,
  shopCache,
  search,
  lang,
  params,
  publicUrl,
  query,
  now,
  user,
}: PageContext): Promise<Loaded<'store/product/product'>> {
  const id = readId(params.id)
  // Staff with permission to read the catalog may preview an unpublished product.
  const isPreview = query.preview === '1' && staffMay(user, 'catalog.read', await shopCache.settings())
  const product = id === null ? null : await findProduct(db, id, lang, isPreview ? 'every' : 'shown')
  if (!product) return { refuse: id !== null && (await isWithdrawn(db, id)) ? 410 : 404 }
  const category = product.categories[0]
  const [notes, similar, reviews] = await Promise.all([
    category ? productNotes(db, shopCache, { id: product.id, categoryId: category.id }, { lang, now }) : null,
    listSimilar({ db, search }, product, MAX_SIMILAR, lang),
    findProductReviews(db, product.id),
  ])
  const trail = trailOf(product, await shopCache.categories(), lang)
  const qr = product.is_unique ? drawQr(publicUrl + product.qr_url) : null
  const head = productHead(product, { trail, reviews, lang, publicUrl })
  const props = {
    product,
    particulars: listParticulars(product, lang),
    notes,
    similar,
    trail,
    qr,
    reviews,
    shareUrl: `${publicUrl}/product/${product.id}`,
  }
  if (isPreview) return { props, head: { title: head.title, canonical: null }, page: 'store/product/product-preview' }
  const picture = product.pictures[0]
  return { props, head: picture ? { ...head, preload: [preloadOf(picture, GALLERY_SIZES)] } : head }
}

async function loadReviews({ db, lang, params, query }: PageContext): Promise<Loaded<'store/product/reviews'>> {
  const id = readId(params.id)
  const product = id === null ? null : await findProductName(db, id)
  if (!product || id === null) return { refuse: id !== null && (await isWithdrawn(db, id)) ? 410 : 404 }
  const [reviews, page] = await Promise.all([findProductReviews(db, id), listProductReviews(db, id, parseCursor(query, 1))])
  const name = lang === 'bn' ? product.name_bn : product.name_en
  const head = { title: translate(lang)('review.of', { name }), canonical: reviews.count > 0 ? `/product/${id}/reviews` : null }
  // The page lists the reviews itself.
  return { props: { product: { id, name }, reviews: { ...reviews, newest: [] }, page }, head }
}

function policyPage(slug: PolicySlug): PageRoute {
  return {
    url: `/${slug}`,
    page: 'store/policy/policy',
    cache: 'public',
    async load({ db, lang }) {
      const policyRoute = await findPolicyPage(db, slug, lang)
      if (!policyRoute) return { refuse: 404 }
      const description = shorten(
        policyRoute.body
          .replace(/^## .*$/gm, '')
          .replace(/\s+/g, ' ')
          .trim(),
        155,
      )
      return { props: policyRoute, head: { title: policyRoute.title, description, canonical: `/${slug}` } }
    },
  }
}

/** Routes of the storefront: home, lists, search, products, policy pages. */
export const catalogPages: PageRoute[] = [
  { url: '/', page: 'store/home/home', cache: 'public', load: loadHome },
  { url: '/beef', page: 'store/listing/beef', cache: 'public', load: loadBeef },
  { url: '/fruits', page: 'store/listing/category', cache: 'public', load: loadFruits },
  { url: '/category/:slug', page: 'store/listing/category', cache: 'public', load: loadCategory },
  { url: '/kurbani', page: 'store/kurbani/kurbani', cache: 'public', load: loadKurbani },
  { url: '/search', page: 'store/listing/search', load: loadSearch },
  { url: '/compare', page: 'store/compare/compare', load: loadCompare },
  { url: '/product/:id', page: 'store/product/product', cache: 'public', load: loadProduct },
  { url: '/product/:id/reviews', page: 'store/product/reviews', cache: 'public', load: loadReviews },
  ...POLICY_SLUGS.map(policyPage),
]
