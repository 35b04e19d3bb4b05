import { listingPath, DEFAULT_LISTING, type ListingQuery, parseListingQuery } from '#features/catalog/listing-query-rules.ts'
import { listProducts } from '#features/search/list-products.server.ts'
import type { ListingJson } from '#features/catalog/types.ts'
import { translate } from '#lib/i18n/translate.ts'
import type { Lang } from '#lib/i18n/lang.ts'
import type { Head, PageContext } from '#site/page-route.server.ts'

/** The data of a list page: the products, and the query of the URL. */
export interface ListingData {
  listing: ListingJson
  query: ListingQuery
}

/** The list of a URL; a page past the end is the last one. */
export async function loadListing({ db, search, lang, query: raw }: PageContext, categoryId: number | null): Promise<ListingData> {
  const query = parseListingQuery(raw)
  const { minPrice, maxPrice, sort, status } = query
  const traits = {
    breed: query.breed || undefined,
    sex: query.sex || undefined,
    teeth: query.teeth ?? undefined,
    coat: query.coat || undefined,
  }
  const filter = { categoryId, minPrice, maxPrice, sort, status, search: query.search, traits }
  const read = (page: number) => listProducts({ db, search }, { ...filter, page }, lang)
  const listing = await read(query.page)
  const { lastPage, total } = listing.pagination
  if (query.page <= lastPage || total === 0) return { listing, query }
  return { listing: await read(lastPage), query: { ...query, page: lastPage } }
}

/** Title, description and canonical URL of a list: each page has its own, filters and orders have none. */
export function listingHead(
  lang: Lang,
  path: string,
  query: ListingQuery,
  words: { title: string; description: string },
  image: string | null,
): Head {
  const t = translate(lang)
  const { page } = query
  return {
    title: page > 1 ? t('page.number', { title: words.title, page }) : words.title,
    description: words.description,
    canonical: listingPath(path, { ...DEFAULT_LISTING, page }),
    image,
  }
}
