import type { ProductSearch } from '#features/search/product-search.server.ts'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import type { SignedInUser } from '#features/auth/sessions.server.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { PageName, PageProps } from './pages.ts'

/** Metadata of a page for browsers, search engines and link previews. */
export interface Head {
  title: string
  /** Whether the name of the shop follows the title. */
  endsWithShop?: boolean
  description?: string
  /** Path and query of the page's canonical URL; null for pages that search should not find. */
  canonical?: string | null
  image?: string | null
  imageAlt?: string
  /** The price in taka, for link previews of a product. */
  price?: number
  ogType?: 'website' | 'product'
  jsonLd?: object[]
  /** The largest picture of the first screen, one per width of screen. It is preloaded before fonts. */
  preload?: PreloadedPicture[]
}

export interface PreloadedPicture {
  srcset: string
  sizes: string
  /** For which screens, as a media query. */
  media?: string
}

/** The result of a loader. */
export interface PageData<Props extends object = object> {
  props: Props
  head: Head
  status?: number
}

/** A page in place of the route's own. */
export type OtherPage = { [Name in PageName]: PageData<PageProps<Name>> & { page: Name } }[PageName]

/** A loader may also redirect, or reject with the error page. */
export type NoPage = { redirect: string; isPermanent?: boolean } | { refuse: 403 | 404 | 410 }

/** The result of a loader of a storefront page. */
export type Loaded<Name extends PageName> = (PageData<PageProps<Name>> & { page?: undefined }) | OtherPage | NoPage

/** The arguments of a loader. */
export interface PageContext {
  db: Db
  shopCache: ShopCache
  search: ProductSearch
  lang: Lang
  /** Path and query of the request. */
  path: string
  now: Date
  publicUrl: string
  /** What the pages of health and backups say of this process. `isEmbedded`: it runs the database. */
  process: { isProduction: boolean; dataDir: string; backupTo: string; isEmbedded: boolean }
  /** Which gateways take money now; null when there is none. */
  defaultGateway: string | null
  /** The configured gateways, the default first. */
  gateways: GatewayName[]
  /** Whether the shop sends SMS. */
  sendsSms: boolean
  /** Whether email is configured. */
  sendsEmail: boolean
  /** First value of each query parameter. */
  query: Record<string, string>
  params: Record<string, string>
  user: SignedInUser | null
  /** The order access token, or null. */
  browser: string | null
  /** The token of the pending challenge, or null. */
  challenge: string | null
  /** The popup campaign that this browser was shown, or null. */
  popupShown: number | null
}

/** One URL of the shop: its component below site/ (`store/home/home`, without `.page.tsx`) and how its props are found. */
interface StoreRoute<Name extends PageName> {
  url: string
  page: Name
  /** The anonymous page depends on URL, language and catalog alone and is cached until they change. Never for pages with orders. */
  cache?: 'public'
  /**
   * The page shows personal data and is `no-store`: Back after signing out must not show it. `order`: for guests too, because Back after a
   * payment must not show an order as unpaid.
   */
  personal?: true | 'order'
  /** Orders are placed from the page: it sets the order access token of a browser without one. Never with `cache`. */
  placesOrders?: boolean
  load(context: PageContext): Promise<Loaded<Name>>
}

export type PageRoute = { [Name in PageName]: StoreRoute<Name> }[PageName]
