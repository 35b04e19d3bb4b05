import type { ProductSearch } from '#features/search/product-search.server.ts'
import type { ShopCache } from '#features/catalog/shop-cache.server.ts'
import type { SignedInUser } from '#features/auth/sessions.server.ts'
import type { GatewayName } from '#features/payments/gateway.ts'
import type { Db } from '#lib/db/db.server.ts'
import type { Lang } from '#lib/i18n/lang.ts'

/** What a page says about itself to browsers, search engines and those who share it. */
export interface Head {
  title: string
  description?: string
  /** Path (and query) of the page's own address; null for pages that search should not find. */
  canonical?: string | null
  image?: string | null
  imageAlt?: string
  ogType?: 'website' | 'product'
  jsonLd?: object[]
  /** The picture seen first (one for each width of screen that has its own): asked for before fonts and everything else. */
  preload?: PreloadedPicture[]
}

export interface PreloadedPicture {
  srcset: string
  sizes: string
  /** For which screens, as a media query. */
  media?: string
}

/** What a loader found for its page. */
export interface PageData<Props extends object = object> {
  props: Props
  head: Head
  status?: number
  /** Another component than the route's, where what was found decides. */
  page?: string
}

/** A loader may also send the visitor elsewhere, or refuse with the error page. */
export type Loaded<Props extends object = object> = PageData<Props> | { redirect: string } | { refuse: 403 | 404 | 410 }

/** What a loader is given. */
export interface PageContext {
  db: Db
  facts: ShopCache
  search: ProductSearch
  lang: Lang
  /** Path and query of the page, as asked for. */
  path: string
  now: Date
  publicUrl: string
  /** Which gateways take money now; null when there is none. */
  defaultGateway: string | null
  /** The configured gateways, the default first. */
  gateways: GatewayName[]
  /** Whether an SMS provider is configured. */
  sendsSms: boolean
  /** First value of each query parameter. */
  query: Record<string, string>
  params: Record<string, string>
  user: SignedInUser | null
  /** Secret of the browser, which opens the orders placed with it, or null. */
  browser: string | null
  /** The token of what this browser has begun and must prove, or null. */
  challenge: string | null
  /** The popup campaign this browser has seen, or null. */
  popupShown: number | null
}

/** One address of the shop: its component below site/ (`store/home/home`, without `.page.tsx`) and how its props are found. */
export interface PageRoute {
  url: string
  page: string
  /** The anonymous page depends on address, language and catalog alone: it is kept until they change. Never for pages that show orders. */
  keep?: boolean
  /** What it shows belongs to one person: Back after signing out finds nothing kept of it. */
  personal?: boolean
  /** Orders are placed from it: a browser without a secret gets one with the page, so that its orders and limits are its own. Never with `keep`. */
  placesOrders?: boolean
  load(context: PageContext): Promise<Loaded>
}
