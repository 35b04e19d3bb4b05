import { sharePictureUrl } from '#features/catalog/media/share-picture.server.ts'
import { organizationJsonLd } from './organization.server.ts'
import { can } from '#features/auth/permissions.ts'
import { findByKey, LIST_PATHS } from '#features/catalog/category-keys.ts'
import { cattleNotes, findPolicyPage, isWithdrawn } from '#features/catalog/page-queries.server.ts'
import { POLICY_SLUGS, type PolicySlug } from '#features/catalog/policies/slugs.ts'
import { productJson } from '#features/catalog/product-rows.server.ts'
import { listParticulars } from '#features/catalog/products/particulars.server.ts'
import { findPopup, findProduct, listSlots } from '#features/catalog/queries.server.ts'
import { listSimilar } from '#features/search/list-products.server.ts'
import { searchTerm } from '#lib/format/search-term.ts'
import { findStock } from '#features/kurbani/queries.server.ts'
import { pictureSrcset } from '#components/responsive-image.ts'
import type { ListingJson, Picture } from '#features/catalog/types.ts'
import { CARD_SIZES, GALLERY_SIZES, HERO } from '#features/catalog/ui/picture-sizes.ts'
import { translate } from '#lib/i18n/translate.ts'
import { drawQr } from '#lib/codes/qr-code.server.ts'
import { shorten } from '#lib/format/text.ts'
import type { Loaded, PageContext, PageRoute, PreloadedPicture } from '#site/page-route.server.ts'
import { listingHead, loadListing } from './listing-data.server.ts'
import { productHead, trailOf } from '../product/product-head.server.ts'

const MAX_FOUND = 40
const MAX_SIMILAR = 8

async function loadHome(context: PageContext): Promise<Loaded<'store/home/home'>> {
  const { db, shopCache, lang, now, popupShown } = context
  const [popup, slots, { listing, query }, settings] = await Promise.all([
    findPopup(db, now, popupShown, lang),
    listSlots(db, lang),
    loadListing(context, null),
    shopCache.settings(),
  ])
  const t = translate(lang)
  const { wide } = settings.hero
  const image = wide ? sharePictureUrl(wide) : null
  const head = listingHead(lang, '/', query, { title: t('home.title'), description: t('home.description') }, image)
  const jsonLd = [organizationJsonLd(settings.shop, lang, context.publicUrl)]
  return { props: { popup, slots, listing, query, hero: settings.hero }, head: { ...head, jsonLd, preload: heroPreload(settings.hero) } }
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
  return picture ? sharePictureUrl(picture) : null
}

/** The first card's picture, where the list begins the page. */
function firstCard({ products }: ListingJson): PreloadedPicture[] {
  const picture = products[0]?.picture
  return picture ? [preloadOf(picture, CARD_SIZES)] : []
}

/** The page of a category. */
function categoryPage(name: 'beef' | 'fruits'): PageRoute {
  return {
    url: LIST_PATHS[name],
    page: `store/listing/${name}`,
    cache: 'public',
    async load(context) {
      const { db, shopCache, lang } = context
      const id = findByKey(await shopCache.categories(), name)?.id
      if (id === undefined) return { refuse: 404 }
      const [{ listing, query }, notes] = await Promise.all([loadListing(context, id), cattleNotes(db, shopCache, id, lang)])
      const t = translate(lang)
      const words = { title: t(`${name}.title`), description: t(`${name}.description`) }
      return {
        props: { listing, query, notes },
        head: {
          ...listingHead(lang, LIST_PATHS[name], query, words, shareImageOf(listing)),
          preload: firstCard(listing),
        },
      }
    },
  }
}

/** The Kurbani cows, or the form to pre-book one while none is in stock. */
async function loadKurbani(context: PageContext): Promise<Loaded<'store/kurbani/kurbani'>> {
  const { db, shopCache, search, lang } = context
  const id = findByKey(await shopCache.categories(), 'kurbani')?.id
  if (id === undefined) return { refuse: 404 }
  const [{ listing, query }, notes, stock] = await Promise.all([
    loadListing(context, id),
    cattleNotes(db, shopCache, id, lang),
    findStock(search, id),
  ])
  const t = translate(lang)
  const words = { title: t('kurbani.title'), description: t('kurbani.description') }
  const head = listingHead(lang, '/kurbani', query, words, shareImageOf(listing))
  return {
    props: { listing, query, notes, ...stock },
    head,
    page: stock.inStock ? 'store/kurbani/kurbani' : 'store/kurbani/kurbani-booking',
  }
}

async function loadSearch({ search, lang, query }: PageContext): Promise<Loaded<'store/listing/search'>> {
  const requested = shorten((query.q ?? '').slice(0, 400), 100)
  const term = searchTerm(requested)
  const rows = term ? await search.findMatches(term, MAX_FOUND + 1) : null
  const products = rows?.slice(0, MAX_FOUND).map((row) => productJson(row, lang)) ?? null
  const t = translate(lang)
  return {
    props: { query: requested, products, more: (rows?.length ?? 0) > MAX_FOUND },
    head: { title: requested ? t('search.results', { query: requested }) : t('search.title'), canonical: null },
  }
}

async function loadProduct({
  db,
  shopCache,
  search,
  lang,
  params,
  publicUrl,
  query,
  user,
}: PageContext): Promise<Loaded<'store/product/product'>> {
  const id = /^[1-9]\d{0,14}$/.test(params.id ?? '') ? Number(params.id) : null
  // Staff with permission to read the catalog may preview an unpublished product.
  const isPreview = query.preview === '1' && user !== null && can(user.role, 'catalog.read')
  const product = id === null ? null : await findProduct(db, id, lang, isPreview ? 'every' : 'shown')
  if (!product) return { refuse: id !== null && (await isWithdrawn(db, id)) ? 410 : 404 }
  const category = product.categories[0]
  const [notes, similar] = await Promise.all([
    category ? cattleNotes(db, shopCache, category.id, lang) : null,
    listSimilar({ db, search }, product, MAX_SIMILAR, lang),
  ])
  const trail = trailOf(product, lang)
  const qr = product.is_unique ? drawQr(publicUrl + product.qr_url) : null
  const head = productHead(product, trail, lang, publicUrl)
  const props = { product, particulars: listParticulars(product, lang), notes, similar, trail, qr }
  if (isPreview) return { props, head: { title: head.title, canonical: null }, page: 'store/product/product-preview' }
  const picture = product.pictures[0]
  return { props, head: picture ? { ...head, preload: [preloadOf(picture, GALLERY_SIZES)] } : head }
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
  categoryPage('beef'),
  categoryPage('fruits'),
  { url: '/kurbani', page: 'store/kurbani/kurbani', cache: 'public', load: loadKurbani },
  { url: '/search', page: 'store/listing/search', load: loadSearch },
  { url: '/product/:id', page: 'store/product/product', cache: 'public', load: loadProduct },
  ...POLICY_SLUGS.map(policyPage),
]
